import type { Link } from "../../schemas/link.ts";
import type { LinkPatchRow } from "../../schemas/link-record.ts";
import type { Outcome, RowStatus } from "../../schemas/request.ts";
import { type RowNotice, rowErrors, rowNotice } from "../../schemas/row-notice.ts";
import { checkNamedDesigns, type KnownDesigns } from "./check-named-designs.ts";
import { designFault } from "./design-fault.ts";
import type { LinkChange } from "./merge-link.ts";
import { positionGone } from "./position-fault.ts";
import { repeatsLink } from "./repeats-link.ts";

/** What `planLinkPatch` needs in addition to the row and the link. */
export interface LinkPatchFacts {
  /** Number of positions of the label's model; undefined if the model is unknown. */
  positions: number | undefined;
  /** The type of the link's label. */
  type: number;
  /** Returns the item to which a code refers: by item id first, then by SIC. */
  itemOf(code: string): string | undefined;
  /** Designs that the row names, by full key; all of the tenant's designs if it names only a canvas. */
  designs: KnownDesigns;
}

/** Decides a row of PATCH /links/{linkId} for the current link. Without `change`, the row as a whole is rejected. */
export function planLinkPatch(
  row: LinkPatchRow,
  link: Pick<Link, "eslId" | "displayPosition" | "itemId" | "linkedItemId" | "origin">,
  { positions, type, itemOf, designs }: LinkPatchFacts,
): { change?: Omit<LinkChange, "stamp">; outcome: Outcome } {
  const { eslId: barcode, displayPosition } = link;
  const outcome = (itemId: string, status: RowStatus, notices: readonly RowNotice[] = []): Outcome => ({
    barcode,
    itemId,
    displayPosition,
    status,
    ...rowErrors(...notices),
  });
  const code = row.linkedItemId || row.itemId || "";
  // If the link's own code no longer refers to an item, the link keeps its item.
  const itemId =
    code && !repeatsLink(row, link)
      ? (itemOf(code) ?? (code === link.linkedItemId ? link.itemId : undefined))
      : link.itemId;
  if (itemId === undefined)
    return { outcome: outcome(code, "ITEM_NOT_FOUND", [rowNotice("ITEM_CODE_UNKNOWN", { code })]) };

  const forced = row.forced_design_id ?? undefined;
  const own = row.designId !== undefined && link.origin === "designer" ? row.designId : undefined;
  const design = row.design && checkNamedDesigns(row.design, type, designs);
  // While the link was INACTIVE, the label may have been given a model with fewer positions.
  const shows = row.status === "ACTIVE" || itemId !== link.itemId;
  const faults = [
    shows ? positionGone(positions, displayPosition) : undefined,
    ...[forced, own].map((named) => (named === undefined ? undefined : designFault(named, type, designs))),
    design && "code" in design ? design : undefined,
  ].filter((fault) => fault !== undefined);
  if (faults.length > 0 || (design && "code" in design)) return { outcome: outcome(itemId, "ERROR", faults) };

  const { facings, status, forced_design_id } = row;
  const change = {
    ...(code && { itemId, linkedItemId: code }),
    ...(facings !== undefined && { facings }),
    ...(status !== undefined && { status }),
    ...(forced_design_id !== undefined && { forced_design_id }),
    ...(design !== undefined && { design }),
    ...(own !== undefined && { designId: own }),
  };
  return { change, outcome: outcome(itemId, "SUCCESS") };
}
