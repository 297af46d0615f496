import type { Design } from "../../schemas/design.ts";
import { notice } from "../../schemas/drawing-notice.ts";
import type { Notice } from "../../schemas/notice.ts";

/** The facts that decide whether a design may be shown. */
type Compatibility = Pick<Design, "compatible_esltype_ids" | "deleted">;

/**
 * Returns the reason why labels of a type must not show a design, as a notice that names the design; undefined if they may. Only
 * this function decides it (docs/rules.md#the-eleven-rules, rule 7): checks of calls, rules and the renderer use it.
 */
export function designFault(
  key: string,
  type: number,
  designs: ReadonlyMap<string, Compatibility>,
): Notice<"DESIGN_UNKNOWN" | "DESIGN_UNFIT"> | undefined {
  const design = designs.get(key);
  if (design === undefined || design.deleted) return notice("DESIGN_UNKNOWN", { design: key, type });
  return fits(design, type) ? undefined : notice("DESIGN_UNFIT", { design: key, type });
}

/** Whether labels of a type may show a design; false for an unknown or deleted design. */
export const fits = (design: Compatibility | undefined, type: number): boolean =>
  design !== undefined && !design.deleted && design.compatible_esltype_ids.includes(type);
