import type { Variables } from "../../domain/expression/expression.ts";
import { withBudget } from "../../domain/expression/meter.ts";
import { labelSizeOf } from "../../schemas/canvas.ts";
import { type DrawingNotice, notice, noticeText } from "../../schemas/drawing-notice.ts";
import { isCrossed } from "../checks/crossing-lines.ts";
import { blankPicture } from "../pixels/blank-picture.ts";
import type { Framebuffer } from "../pixels/framebuffer.ts";
import { colorIndex } from "../pixels/nearest-color.ts";
import { rotatePicture } from "../pixels/rotate.ts";
import { DrawingError } from "../text/drawing-error.ts";
import { shortened } from "../text/shortened.ts";
import { type CompiledCanvas, type CompiledLayout, layoutFor } from "./compile-canvas.ts";
import { withFaces } from "./faces.ts";
import { type FilledLayout, fillLayout } from "./fill-canvas.ts";
import { flowByContent } from "./flow.ts";
import { overlap, paintElement } from "./paint-element.ts";
import type { Painting, PaintingFacts } from "./painting.ts";
import { PAINTING_STEPS } from "./painting-steps.ts";
import type { FilledElement } from "./place.ts";
import { inShare, sellingPriceOf } from "./price-share.ts";

/** The facts from which a picture is drawn, in addition to the design. */
export interface DrawingFacts extends PaintingFacts {
  variables: Variables;
}

export interface Drawing {
  picture: Framebuffer;
  /** Elements that were left out because they are invalid, such as a code with a wrong check digit. */
  errors: DrawingNotice[];
  /** Notices about elements that are drawn differently from what the design or the item says. */
  warnings: DrawingNotice[];
}

/** Maximum number of errors, and of warnings, in a picture's record. */
const MAX_REPORTED = 20;

/** Draws a design with a link's values. Throws DrawingError if the picture would be wrong. */
export function draw(canvas: CompiledCanvas, facts: DrawingFacts): Drawing {
  const layout = layoutOf(canvas, facts.labelType);
  return paint(layout, fillLayout(layout, facts.variables), facts);
}

/** Returns the design's layout for a label. Throws DrawingError if the design has none. */
export function layoutOf(canvas: CompiledCanvas, labelType: PaintingFacts["labelType"]): CompiledLayout {
  const layout = layoutFor(canvas, labelType);
  if (layout) return layout;
  const sizes = new Set(canvas.layouts.map(labelSizeOf).map(({ width, height }) => `${width} x ${height}`));
  const { type, width, height } = labelType;
  throw new DrawingError(notice("DESIGN_SIZE", { sizes: [...sizes].join(", "), type, width, height }));
}

/** Paints a layout that was filled with a link's values. Throws DrawingError if the picture would be wrong. */
export function paint(
  layout: CompiledLayout,
  filled: FilledContent,
  facts: PaintingFacts,
  step: PaintingStep = (_painting, _filled, act) => act(),
): Drawing {
  return withBudget("the drawing", PAINTING_STEPS, () => paintElements(layout, filled, facts, step));
}

type FilledContent = Pick<FilledLayout, "elements" | "parts" | "warnings">;

/**
 * Runs `act`, which paints an element, or does work that belongs to no single element (`filled` is undefined). The step may
 * record a thrown fault instead of passing it on.
 */
export type PaintingStep = (painting: Painting, filled: FilledElement | undefined, act: () => void) => void;

/** Paints a layout upright, then rotates the picture for the label. */
function paintElements(
  layout: CompiledLayout,
  filled: FilledContent,
  facts: PaintingFacts,
  step: PaintingStep,
): Drawing {
  const { width, height, background, rotate = 0 } = layout;
  const { colors } = facts.labelType;
  const picture = blankPicture({ width, height, colors }, colorIndex(background, colors));
  const { elements: faced, errors } = withFaces(filled.elements, facts.fonts);
  const warnings = [...filled.warnings];
  const painting: Painting = {
    ...{ facts, picture, errors, warnings, sellingPrice: undefined },
    ...{ checks: [], later: [], prices: [] },
  };
  step(painting, undefined, () => {
    painting.sellingPrice = sellingPriceOf(faced, picture, facts.store);
  });
  const sized = faced.map((shown) => inShare(shown, painting.sellingPrice));
  const elements = filled.parts ? flowByContent(filled.parts, sized, facts.store) : sized;
  for (const [index, current] of elements.entries()) {
    const { element } = current;
    // A text element is checked for coverage only if it must be shown completely, because most elements are text.
    const isWatched = element.kind !== "text" || element.whole;
    painting.later = isWatched ? elements.slice(index + 1).filter((later) => overlap(element, later.element)) : [];
    step(painting, current, () => paintElement(painting, current, painting.later.length > 0));
  }
  for (const check of painting.checks) check();
  const shown = elements.map(({ element }) => element);
  for (const price of painting.prices)
    if (isCrossed(price, shown)) warnings.push(notice("PRICE_CROSSED", { text: shortened(price.text) }));
  const told = { errors: atMost(painting.errors), warnings: atMost(painting.warnings) };
  return { picture: rotatePicture(picture, rotate), ...told };
}

/** Returns the distinct notices, at most MAX_REPORTED of them, and the number of others. */
export function atMost(notices: readonly DrawingNotice[]): DrawingNotice[] {
  if (notices.length < 2) return [...notices];
  const distinct = [...new Map(notices.map((one) => [noticeText(one), one])).values()];
  const more = distinct.length - MAX_REPORTED;
  return more > 0 ? [...distinct.slice(0, MAX_REPORTED), notice("MORE", { count: more })] : distinct;
}
