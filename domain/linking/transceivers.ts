import type { LinkDepartment } from "../../schemas/store.ts";

/** The fields of a label that choose its transceivers; an empty string counts as absent. */
export interface Addressing {
  homeTrx?: string | null | undefined;
  linkDepartment?: string | null | undefined;
}

/** Why no transceiver reaches a label. */
export type Unreachable = { unknownTransceiver: string } | { unknownDepartment: string } | { none: true };

/**
 * Returns the short ids of the transceivers that reach a label: homeTrx takes precedence over linkDepartment, and
 * linkDepartment over all of the store's transceivers. A department is found by its id, or else by its alias.
 */
export function transceiversOf(
  { homeTrx, linkDepartment }: Addressing,
  departments: readonly LinkDepartment[],
): string[] | Unreachable {
  const all = departments.flatMap(({ transceivers }) => transceivers);
  const department = linkDepartment
    ? (departments.find(({ id }) => id === linkDepartment) ?? departments.find(({ alias }) => alias === linkDepartment))
    : undefined;
  if (homeTrx) return all.includes(homeTrx) ? [homeTrx] : { unknownTransceiver: homeTrx };
  if (linkDepartment && department === undefined) return { unknownDepartment: linkDepartment };
  const reach = department?.transceivers ?? all;
  return reach.length > 0 ? [...new Set(reach)] : { none: true };
}
