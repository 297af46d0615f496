import type { LinkDepartment } from "../../schemas/tenant.ts";

/** What is known of how a label is reached; empty texts are absent. */
export interface Addressing {
  homeTrx?: string | null | undefined;
  linkDepartment?: string | null | undefined;
}

/** Why no transceiver can be derived. */
export type Unreachable = { unknownTransceiver: string } | { unknownDepartment: string } | { none: true };

/**
 * Short ids of the transceivers that reach a label: homeTrx wins over linkDepartment, that over all
 * transceivers of the store (specification, Label; design, section 8). A department is named by its id or else by
 * its alias.
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
