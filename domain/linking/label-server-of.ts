import type { LinkDepartment, Store } from "../../schemas/store.ts";
import type { Addressing } from "./transceivers.ts";

/** The fields of a store that determine its labels' label servers. */
export type Division = Pick<Store, "labelServer"> & {
  linkDepartments: readonly Pick<LinkDepartment, "id" | "alias" | "transceivers" | "labelServer">[];
};

/** Whether departments of a store name label servers: a label's label server then depends on the label. */
export const isDivided = ({ linkDepartments }: Pick<Division, "linkDepartments">): boolean =>
  linkDepartments.some(({ labelServer }) => labelServer !== undefined);

/**
 * Returns the id of a label's label server; undefined for the installation's label server. A transceiver belongs to one label
 * server, so the department that lists the label's homeTrx decides. If no department lists it, the label's linkDepartment
 * decides, found by id or else by alias. A department that names no label server uses the store's.
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
  // If several departments list the transceiver, the label's own department counts.
  const ofTransceiver = homeTrx ? (own && lists(own) ? own : linkDepartments.find(lists)) : undefined;
  return (ofTransceiver ?? own)?.labelServer ?? labelServer;
}

/**
 * Returns the ids of all label servers that a store's labels may use, the store's own first; undefined stands for the
 * installation's label server.
 */
export const labelServersOf = ({ labelServer, linkDepartments }: Division): (string | undefined)[] => [
  ...new Set([labelServer, ...linkDepartments.flatMap((department) => department.labelServer ?? [])]),
];
