import type { DrawingFault } from "../../schemas/image.ts";
import { faultOf } from "../../schemas/image.ts";
import type { ImageFile } from "../../schemas/image-file.ts";
import { atMost, layoutOf, paint } from "../canvas/draw.ts";
import { fillLayout } from "../canvas/fill-canvas.ts";
import type { Painter } from "../canvas/painter.ts";
import { drawSegments } from "../canvas/segments.ts";
import { blankFile } from "../pixels/blank-picture.ts";
import { imageFileOf } from "../pixels/image-file.ts";
import { createInspection } from "./inspection.ts";

/**
 * Makes pictures for design editors, and reports how each element was drawn. If an element of a draft has a fault, all other
 * elements are still shown. Any other design with a fault shows only the background, as the label would.
 */
export const inspectingPainter = (isDraft: boolean): Painter<ImageFile> => ({
  blank: blankFile,
  paint(canvas, facts) {
    const { labelType, store, variables } = facts;
    if (labelType.display === "segment") {
      const drawn = drawSegments(canvas, facts);
      return { errors: [], ...drawn, picture: imageFileOf(drawn.picture), inspected: [] };
    }
    const layout = layoutOf(canvas, labelType);
    const filled = fillLayout(layout, variables);
    const inspection = createInspection(layout, filled, store.locale);
    const { picture, errors, warnings } = paint(layout, filled, facts, inspection.step);
    const found = inspection.fault();
    const fault: DrawingFault | undefined = found && faultOf("DRAWING_FAILED", found);
    return {
      picture: fault && !isDraft ? blankFile(labelType) : imageFileOf(picture),
      ...{ errors: atMost(errors), warnings: atMost(warnings), inspected: inspection.elements() },
      ...(fault && { fault }),
    };
  },
});
