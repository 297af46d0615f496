import type { Element } from "../../schemas/canvas.ts";
import type { LinearCodeElement, MatrixCodeElement } from "../../schemas/canvas-codes.ts";

/**
 * Maximum number of steps for painting a label, each about 0.1 microseconds. Steps are counted for words that are laid out
 * (once for each size that is tried), for codes that are encoded, and for pixels. At this maximum, fifty labels take about
 * half of an order's ten seconds.
 */
export const PAINTING_STEPS = 1_000_000;

interface Size {
  width: number;
  height: number;
}

const PIXELS_PER_FILL_STEP = 1024;
/** Pixels that are inspected one by one, or copied for a comparison once everything is painted. */
const PIXELS_PER_COPY_STEP = 64;
const STEPS_PER_ROW = 2;
const ROTATION_COPIES = 5;
/** Cost of scaling an image, in addition to a step for each pixel whose colour is chosen. */
const STEPS_PER_IMAGE = 10_000;
/** Cost of an arc's outline, whose angles must be computed. */
const PIXELS_PER_ANGLE_STEP = 1 / 2;
/** A diagonal line is drawn as squares of its thickness. */
const STEPS_PER_SQUARE_ROW = 1 / 4;

type CodeKind = (LinearCodeElement | MatrixCodeElement)["kind"];

/** Steps for encoding: for each code, and for each of a code's characters. */
const encoding: Readonly<Record<CodeKind, readonly [steps: number, perCharacter: number]>> = {
  ean13: [100, 0],
  ean8: [100, 0],
  upca: [100, 0],
  code128: [4_000, 20],
  "gs1-128": [4_000, 20],
  code39: [4_000, 100],
  itf14: [6_000, 0],
  databar: [10_000, 0],
  "databar-expanded": [20_000, 100],
  qr: [10_000, 60],
  datamatrix: [30_000, 250],
  "gs1-datamatrix": [30_000, 250],
};
/** A longer value is rejected before it is encoded. */
const MAX_ENCODED = 1_000;

/**
 * Returns the number of steps for painting an element on a label, not counting the words of its text. `text` is what a code
 * encodes: empty before the element is filled. The result is the same for every label with the same values, regardless of which
 * pictures and codes are cached.
 */
export function paintingSteps(element: Element, text: string, label: Size): number {
  const inside = insideOf(element, label);
  // The background of a rotated element is copied, rotated, and put back.
  const rotating = element.rotate ? (ROTATION_COPIES * inside.width * inside.height) / PIXELS_PER_COPY_STEP : 0;
  return rotating + uprightSteps(element, text, inside);
}

function uprightSteps(element: Element, text: string, { width, height }: Size): number {
  const filled = height * STEPS_PER_ROW + (width * height) / PIXELS_PER_FILL_STEP;
  switch (element.kind) {
    case "box":
      return (element.fill ? filled : 0) + (element.stroke ? filled : 0);
    case "line": {
      const { thickness = 1, dash } = element;
      // Squares outside the label are drawn too.
      const isDiagonal = element.width > 1 && element.height > 1;
      if (isDiagonal) return Math.max(element.width, element.height) * thickness * STEPS_PER_SQUARE_ROW;
      return dash ? Math.max(width, height) * thickness : filled * thickness;
    }
    case "ellipse":
      return 2 * filled;
    case "arc":
      return filled + ((width + height) * (element.thickness ?? 1)) / PIXELS_PER_ANGLE_STEP;
    case "polygon": {
      const { points, thickness = 1, stroke } = element;
      const outline = stroke ? points.length * Math.max(element.width, element.height) * thickness : 0;
      return filled + height * points.length + outline * STEPS_PER_SQUARE_ROW;
    }
    case "image":
      // The image is fitted and mapped as a whole, even if part of it is outside the label.
      return width * height === 0 ? 0 : STEPS_PER_IMAGE + element.width * element.height;
    case "text":
    case "price":
      return filled;
    default: {
      const [steps, perCharacter] = encoding[element.kind];
      const encoded = steps + perCharacter * Math.min(text.length, MAX_ENCODED);
      return encoded + (width * height) / PIXELS_PER_COPY_STEP;
    }
  }
}

/** Returns the part of an element's area that is on the label. */
function insideOf({ x, y, width, height }: Size & { x: number; y: number }, label: Size): Size {
  const across = Math.min(label.width, x + width) - Math.max(0, x);
  const down = Math.min(label.height, y + height) - Math.max(0, y);
  return across > 0 && down > 0 ? { width: across, height: down } : { width: 0, height: 0 };
}
