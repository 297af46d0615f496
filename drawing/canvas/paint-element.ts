import { spendBudget } from "../../domain/expression/meter.ts";
import type { Element } from "../../schemas/canvas.ts";
import type { ImageElement } from "../../schemas/canvas-images.ts";
import type { Rotation } from "../../schemas/canvas-parts.ts";
import { notice } from "../../schemas/drawing-notice.ts";
import type { HoldingPrice } from "../checks/crossing-lines.ts";
import { CodeError } from "../codes/code-error.ts";
import { type CodeElement, drawCode } from "../codes/draw-code.ts";
import { type Area, clip, copyOf } from "../pixels/framebuffer.ts";
import { drawArc, drawEllipse } from "../shapes/draw-curves.ts";
import { drawPolygon } from "../shapes/draw-polygon.ts";
import { drawBox, drawStroke } from "../shapes/draw-shapes.ts";
import { DrawingError } from "../text/drawing-error.ts";
import { shortened } from "../text/shortened.ts";
import { drawImage } from "./draw-image.ts";
import { insideOf, paintPrice, paintText } from "./paint-letters.ts";
import type { Painting } from "./painting.ts";
import { paintingSteps } from "./painting-steps.ts";
import type { FilledElement } from "./place.ts";
import { openRotatedView } from "./rotated-view.ts";

/** Whether a later element may be drawn over an earlier one. */
export function overlap(earlier: Element, later: Element): boolean {
  const margin = marginOf(later);
  return (
    later.x - margin < earlier.x + earlier.width &&
    earlier.x < later.x + later.width + margin &&
    later.y - margin < earlier.y + earlier.height &&
    earlier.y < later.y + later.height + margin
  );
}

/** Returns how far an element may be drawn beyond its area, in pixels. */
function marginOf(element: Element): number {
  if (element.kind === "line" || element.kind === "polygon") return element.thickness ?? 1;
  if (element.kind !== "text") return 0;
  return Math.max(element.size, ...(element.runs ?? []).map(({ size = 0 }) => size));
}

/** Paints an element over the previous ones. A rotated element is painted upright on a rotated copy of its background. */
export function paintElement(painting: Painting, filled: FilledElement, mayBeCovered: boolean): void {
  const { element, text } = filled;
  const { rotate = 0 } = element;
  spendBudget(paintingSteps(element, text, painting.picture));
  if (rotate === 0) paintUpright(painting, filled, mayBeCovered);
  else paintRotated(painting, filled, rotate, mayBeCovered);
}

function paintRotated(painting: Painting, filled: FilledElement, rotate: Rotation, mayBeCovered: boolean): void {
  const { element } = filled;
  const view = openRotatedView(painting.picture, element, marginOf(element), rotate);
  const [checks, prices]: [Painting["checks"], HoldingPrice[]] = [[], []];
  const rotated = { ...filled, element: { ...element, ...view.area } };
  paintUpright({ ...painting, picture: view.picture, checks, prices }, rotated, mayBeCovered);
  view.putBack();
  painting.prices.push(...prices.map(({ text, digits }) => ({ text, digits: view.onLabel(digits) })));
  for (const check of checks) {
    painting.checks.push(() => {
      view.refresh();
      check();
    });
  }
}

function paintUpright(painting: Painting, filled: FilledElement, mayBeCovered: boolean): void {
  const { picture, sellingPrice } = painting;
  const { element, text, parts } = filled;
  switch (element.kind) {
    case "box":
      drawBox(picture, element, element);
      break;
    case "line":
      drawStroke(picture, element);
      break;
    case "ellipse":
      drawEllipse(picture, element);
      break;
    case "polygon":
      drawPolygon(picture, element);
      break;
    case "arc":
      drawArc(picture, element);
      break;
    case "image":
      paintImage(painting, element, text);
      break;
    case "text":
      paintText(painting, element, text, mayBeCovered, parts);
      break;
    case "price":
      paintPrice(painting, element, text, mayBeCovered, sellingPrice?.fitted.get(filled));
      break;
    default:
      paintCode(painting, element, text, mayBeCovered);
  }
}

function paintImage({ picture, errors, warnings, facts }: Painting, element: ImageElement, name: string): void {
  const { bitmap, fault } = facts.images.get(name) ?? {};
  if (bitmap === undefined)
    return void errors.push(
      fault === undefined
        ? notice("IMAGE_MISSING", { name: shortened(name) })
        : notice("IMAGE_FAULTY", { name: shortened(name), reason: fault }),
    );
  const seen = clip(element, picture);
  const behind = copyOf(picture, seen);
  if (seen.width * seen.height > 0) drawImage(picture, element, bitmap);
  if (Buffer.compare(behind, copyOf(picture, seen)) === 0)
    warnings.push(notice("IMAGE_UNSEEN", { name: shortened(name) }));
}

/** A code that is invalid or does not fit is left out and reported. The price next to it is still correct. */
function paintCode(
  { picture, errors, warnings, checks }: Painting,
  element: CodeElement,
  text: string,
  check: boolean,
): void {
  const covered = tryToDraw();
  if (covered === undefined || !check) return;
  const drawn = copyOf(picture, covered);
  checks.push(() => {
    if (Buffer.compare(drawn, copyOf(picture, covered)) === 0) return;
    errors.push(notice("CODE_COVERED", { text: shortened(text) }));
  });

  function tryToDraw(): Area | undefined {
    try {
      const drawn = drawCode(picture, insideOf(element, text, picture), text);
      warnings.push(...drawn.warnings);
      return drawn.covered;
    } catch (error) {
      if (!(error instanceof CodeError || error instanceof DrawingError)) throw error;
      errors.push(error.notice);
      return undefined;
    }
  }
}
