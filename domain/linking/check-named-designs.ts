import type { Design } from "../../schemas/design.ts";
import { idOf } from "../../schemas/keys.ts";
import type { LinkDesign } from "../../schemas/link.ts";
import { type RowNotice, rowNotice } from "../../schemas/row-notice.ts";
import { designFault, fits } from "./design-fault.ts";

/** The tenant's designs that links name, by full key. */
export type KnownDesigns = ReadonlyMap<string, Pick<Design, "canvasId" | "compatible_esltype_ids" | "deleted">>;

/**
 * Checks every named design, and returns the design fields of a link on a label of this type, or a notice with the reason for a
 * rejection. A designer link that names only a canvas gets that canvas's first design for the label type.
 */
export function checkNamedDesigns<D extends Partial<LinkDesign>>(
  design: D,
  type: number,
  known: KnownDesigns,
): D | RowNotice {
  const { origin, forced_design_id: forced, designId: own, designerlink } = design;
  const fault = forced === undefined ? undefined : designFault(forced, type, known);
  if (fault !== undefined) return fault;
  if (origin !== "designer") return design;
  if (own !== undefined) {
    return designFault(own, type, known) ?? design;
  }
  const canvas = designerlink?.canvasId ?? "";
  const designId = [...known].find(([, found]) => isCanvas(found.canvasId, canvas) && fits(found, type))?.[0];
  return designId === undefined ? rowNotice("CANVAS_UNFIT", { type, canvas }) : { ...design, designId };
}

/** Whether a name refers to a canvas, by its full key or by its id. */
const isCanvas = (key: string, named: string): boolean => named === key || named === idOf(key);
