import { isTypeface } from "../../schemas/canvas-parts.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import type { Face } from "../text/fonts.ts";
import { shortened } from "../text/shortened.ts";
import type { FilledElement } from "./place.ts";

/**
 * A tenant's font that a design uses: the opened face, or the reason why it cannot be opened. Neither is set if the font was
 * deleted.
 */
export interface NamedFont {
  /** The font's full key, under which it is open. */
  face?: Face;
  fault?: string;
}

/** Draws text whose font is missing: a price must not disappear because its font was deleted. */
const SUBSTITUTE = "regular";

/** Replaces the names of the tenant's fonts with faces, and reports fonts that do not exist. */
export function withFaces(
  elements: readonly FilledElement[],
  fonts: ReadonlyMap<string, NamedFont> = new Map(),
): { elements: FilledElement[]; errors: DrawingNotice[] } {
  const errors: DrawingNotice[] = [];
  const faceOf = (name: string): Face => {
    if (isTypeface(name)) return name;
    const { face, fault } = fonts.get(name) ?? {};
    if (face !== undefined) return face;
    const named = { name: shortened(name) };
    errors.push(
      fault === undefined ? notice("FONT_MISSING", named) : notice("FONT_FAULTY", { ...named, reason: fault }),
    );
    return SUBSTITUTE;
  };
  const faced = elements.map((filled): FilledElement => {
    const { element } = filled;
    if (element.kind === "price") return { ...filled, element: { ...element, font: faceOf(element.font) } };
    if (element.kind !== "text") return filled;
    const runs = element.runs?.map((run) => (run.font === undefined ? run : { ...run, font: faceOf(run.font) }));
    return { ...filled, element: { ...element, font: faceOf(element.font), ...(runs && { runs }) } };
  });
  return { elements: faced, errors };
}
