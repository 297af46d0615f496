import type { InspectedElement } from "../../../drawing/inspection/inspection.ts";
import type { DrawnLink } from "../../../drawing/thread/drawing-order.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import { noticeText } from "../../../schemas/drawing-notice.ts";
import { type PreviewElement, type PreviewNotice, previewNotice } from "../../../schemas/preview-element.ts";
import type { Preview, PreviewOrder } from "../../../schemas/trial.ts";
import { nameAt } from "./preview-draft.ts";

/** A drawn link, with its canvas unless a model drew it, and the elements that could not be drawn. */
export type Previewed = DrawnLink & {
  png: Uint8Array;
  canvas: CanvasDesign | undefined;
  invalid: readonly PreviewNotice[];
};

/** A drawn preview as a response shows it. */
export function previewOf(drawn: Previewed, { scale = 1 }: Pick<PreviewOrder, "scale">): Preview {
  const { picture, png, text, fault, errors, warnings, invalid, inspected = [] } = drawn;
  const [sentence = null] = fault
    ? [`${fault.reason}: ${fault.detail}`]
    : invalid.map((one) => `DRAWING_FAILED: ${one.text}`);
  return {
    png: Buffer.from(png).toString("base64"),
    width: picture.width * scale,
    height: picture.height * scale,
    text: text ?? null,
    fault: sentence,
    errors: errors.map(noticeText),
    warnings: warnings.map(noticeText),
    notices: [...invalid, ...noticesOf(drawn)],
    elements: inspected.map((one) => previewElement(one, drawn.canvas)),
  };
}

/** Lists each fault, error and warning of a drawing once: first about single elements, then about the whole. */
function noticesOf({ inspected = [], fault, errors, warnings }: DrawnLink): PreviewNotice[] {
  const ofElements = inspected.flatMap(({ pointer, ...one }) => [
    ...(one.fault ? [previewNotice("fault", one.fault, pointer)] : []),
    ...one.errors.map((error) => previewNotice("error", error, pointer)),
    ...one.warnings.map((warning) => previewNotice("warning", warning, pointer)),
  ]);
  const others = [
    ...(fault?.notice ? [previewNotice("fault", fault.notice)] : []),
    ...errors.map((error) => previewNotice("error", error)),
    ...warnings.map((warning) => previewNotice("warning", warning)),
  ];
  const said = new Set(ofElements.map(({ level, text }) => `${level} ${text}`));
  return [...ofElements, ...others.filter(({ level, text }) => !said.has(`${level} ${text}`))];
}

function previewElement({ pointer, area, ...one }: InspectedElement, canvas: CanvasDesign | undefined): PreviewElement {
  const { drawn, size, lines, digitHeight, isCut } = one;
  const name = canvas && nameAt(canvas, pointer);
  return {
    element: pointer,
    ...(name !== undefined && { name }),
    box: area,
    ...(drawn && { drawn }),
    ...(size !== undefined && { size }),
    ...(lines !== undefined && { lines }),
    ...(digitHeight !== undefined && { digitHeight }),
    isCut,
  };
}
