import type { Link } from "../../schemas/link.ts";
import type { LinkPatchRow } from "../../schemas/link-record.ts";
import type { Outcome, RowStatus } from "../../schemas/request.ts";
import type { BarcodeScheme } from "./barcode.ts";
import { chooseDesigns, designFault, type KnownDesigns } from "./choose-designs.ts";
import type { LinkChange } from "./merge-link.ts";

/** What must be known to change a link. */
export interface LinkPatchFacts {
  /** How many positions the label's model has; undefined where it is not known. */
  positions: number | undefined;
  readType: BarcodeScheme;
  /** The item that a code stands for: an item's id first, then a SIC. */
  itemOf(code: string): string | undefined;
  /** Designs that the row names, by full key; where it names a canvas only, all of the tenant's. */
  designs: KnownDesigns;
}

/** Decides a row of PATCH /links/{linkId} for the link as it is; without a change it is refused as a whole. */
export function planLinkPatch(
  row: LinkPatchRow,
  link: Pick<Link, "eslId" | "displayPosition" | "itemId" | "linkedItemId" | "origin">,
  { positions, readType, itemOf, designs }: LinkPatchFacts,
): { change?: Omit<LinkChange, "stamp">; outcome: Outcome } {
  const { eslId: barcode, displayPosition } = link;
  const outcome = (itemId: string, status: RowStatus, errors: string[] = []): Outcome => ({
    barcode,
    itemId,
    displayPosition,
    status,
    errors,
  });
  const code = row.linkedItemId || row.itemId || "";
  // A body that was read names the code that was used: it may be nobody's by now, and the link stays its item's.
  const itemId = code ? (itemOf(code) ?? (code === link.linkedItemId ? link.itemId : undefined)) : link.itemId;
  if (itemId === undefined)
    return { outcome: outcome(code, "ITEM_NOT_FOUND", [`"${code}" is neither an item nor a SIC of one`]) };

  const type = readType(barcode) ?? 0;
  const forced = row.forced_design_id ?? undefined;
  const own = row.designId !== undefined && link.origin === "designer" ? row.designId : undefined;
  const design = row.design && chooseDesigns(row.design, type, designs);
  // The label may have got a model with fewer positions while the link was INACTIVE.
  const shows = row.status === "ACTIVE" || itemId !== link.itemId;
  const faults = [
    shows && positions !== undefined && displayPosition >= positions
      ? `the label's model has ${positions} positions: ${displayPosition} is none of them`
      : undefined,
    ...(forced === undefined ? [] : [designFault(forced, type, designs)]),
    ...(own === undefined ? [] : [designFault(own, type, designs)]),
    ...(typeof design === "string" ? [design] : []),
  ].filter((fault) => fault !== undefined);
  if (faults.length > 0 || typeof design === "string") return { outcome: outcome(itemId, "ERROR", faults) };

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
