import type { LinkDepartment, Store } from "../../schemas/store.ts";
import type { Addressing } from "./transceivers.ts";

/** What says which label servers the labels of a store are on. */
export type Division = Pick<Store, "labelServer"> & {
  linkDepartments: readonly Pick<LinkDepartment, "id" | "alias" | "transceivers" | "labelServer">[];
};

/** Whether departments of a store name label servers: which one a label is on depends on the label then. */
export const isDivided = ({ linkDepartments }: Pick<Division, "linkDepartments">): boolean =>
  linkDepartments.some(({ labelServer }) => labelServer !== undefined);

/**
 * The id of the label server that a label is on; undefined for the installation's. A transceiver belongs to one label
 * server, so the department that lists the label's homeTrx decides, and without one the label's linkDepartment, by id or
 * else by alias. A department that names no label server is on that of the store.
 */
export function labelServerOf(
  { homeTrx, linkDepartment }: Addressing,
  { labelServer, linkDepartments }: Division,
): string | undefined {
  const own = linkDepartment
    ? (linkDepartments.find(({ id }) => id === linkDepartment) ??
      linkDepartments.find(({ alias }) => alias === linkDepartment))
    : undefined;
  const lists = ({ transceivers }: { transceivers: readonly string[] }) => transceivers.includes(homeTrx ?? "");
  // Of several departments that list the transceiver, the label's own counts.
  const ofTransceiver = homeTrx ? (own && lists(own) ? own : linkDepartments.find(lists)) : undefined;
  return (ofTransceiver ?? own)?.labelServer ?? labelServer;
}

/** The ids of all label servers that labels of a store may be on, that of the store first; undefined for the installation's. */
export const labelServersOf = ({ labelServer, linkDepartments }: Division): (string | undefined)[] => [
  ...new Set([labelServer, ...linkDepartments.flatMap((department) => department.labelServer ?? [])]),
];
