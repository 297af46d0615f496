import { imageFileOf } from "../../../drawing/pixels/image-file.ts";
import { overlayPictures } from "../../../drawing/pixels/overlay-pictures.ts";
import { readPicture } from "../../../drawing/pixels/read-picture.ts";
import type { Records } from "../../../records/records.ts";
import { notice } from "../../../schemas/drawing-notice.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import { previewNotice } from "../../../schemas/preview-element.ts";
import type { LabelPreview, LabelPreviewOrder, PreviewPosition } from "../../../schemas/preview-label.ts";
import { pairsOf } from "../../../schemas/string-map.ts";
import type { PreviewOrder } from "../../../schemas/trial.ts";
import type { Permit } from "../../access/verify-token.ts";
import { assertFaultless } from "../find-records.ts";
import { readTrialItem } from "../trial-item.ts";
import type { createPreviewDrawing } from "./draw-preview.ts";
import { type Previewed, previewOf } from "./preview-answer.ts";
import { renamePointers } from "./preview-matrix.ts";

type PreviewDrawing = ReturnType<typeof createPreviewDrawing>;
type DrawnPosition = Previewed & { position: number };
type Place = Awaited<ReturnType<PreviewDrawing["prepare"]>>;

/** Draws the positions of a label, and composes their pictures as the merger does. */
export function createLabelPreview(
  records: Records,
  drawing: PreviewDrawing,
  assertSize: (labelType: LabelType, order: Pick<PreviewOrder, "scale">) => void,
) {
  async function drawPosition(
    { tenant, permit, place }: { tenant: string; permit: Permit; place: Place },
    { canvas, ecclink, item, itemId, displayPosition, location, facings }: PreviewPosition,
    order: LabelPreviewOrder,
    pointer: string,
  ): Promise<DrawnPosition> {
    const { storeId, labelType: type, draft } = order;
    const trial = { storeId, labelType: type, ...(item && { item }), ...(itemId !== undefined && { itemId }) };
    const found = await readTrialItem(records, tenant, permit, trial).catch(
      renamePointers(new Map([["/itemId", `${pointer}/itemId`]])),
    );
    assertSize(found.labelType, order);
    const shown = { tenant, store: place.store, displayPosition, ...found };
    if (canvas === undefined) {
      const { eccModelId = "", parameters = null, renderingHints = null } = ecclink ?? {};
      const model = {
        eccModelId,
        parameters: pairsOf(parameters ?? {}),
        renderingHints: pairsOf(renderingHints ?? {}),
      };
      const drawn = await drawing.byModel(model, shown);
      return { ...drawn, canvas: undefined, invalid: [], position: displayPosition };
    }
    const checked = await drawing.check(tenant, canvas, draft, `${pointer}/canvas`);
    const drawn = await drawing.byCanvas(checked.canvas, { ...shown, location, facings, draft }, place.files);
    return { ...drawn, canvas: checked.canvas, invalid: checked.notices, position: displayPosition };
  }

  return async (tenant: string, permit: Permit, order: LabelPreviewOrder): Promise<LabelPreview> => {
    assertFaultless(positionFaults(order.positions));
    const call = { tenant, permit, place: await drawing.prepare(tenant, order) };
    const drawn: DrawnPosition[] = [];
    for (const [index, position] of order.positions.entries())
      drawn.push(await drawPosition(call, position, order, `/positions/${index}`));
    const inOrder = drawn.toSorted((one, other) => one.position - other.position);
    const composed = compose(inOrder);
    const { leftOut } = composed;
    const png = Buffer.from(await drawing.shownAs(composed.png, order)).toString("base64");
    const { scale = 1 } = order;
    const { picture, text = null } = composed.first;
    const positions = drawn.map((one) => ({
      displayPosition: one.position,
      isLeftOut: leftOut.includes(one) || one.fault !== undefined,
      ...previewOf(one, {}),
    }));
    const overlap =
      leftOut.length === 0
        ? []
        : [notice("POSITIONS_OVERLAP", { positions: leftOut.map(({ position }) => position).join(", ") })];
    const notices = overlap.map((one) => previewNotice("fault", one));
    const [fault = null] = [
      ...inOrder.flatMap((one) => previewOf(one, {}).fault ?? []),
      ...notices.map(({ text: sentence }) => `POSITIONS_OVERLAP: ${sentence}`),
    ];
    return { png, width: picture.width * scale, height: picture.height * scale, text, fault, notices, positions };
  };
}

/** Composes the pictures in order; a picture that would cover an earlier one is left out. */
function compose(drawn: readonly DrawnPosition[]): { first: DrawnPosition; png: Uint8Array; leftOut: DrawnPosition[] } {
  const drawing = drawn.filter(({ isEmpty, fault }) => !isEmpty && fault === undefined);
  const [first = drawn[0], ...others] = drawing;
  if (first === undefined) throw new Error("a label preview has a position");
  if (others.length === 0) return { first, png: first.png, leftOut: [] };
  // A segment label shows the text of only one position.
  if (first.text !== undefined) return { first, png: first.png, leftOut: others };
  const { picture, leftOut } = overlayPictures([readPicture(first.png), ...others.map(({ png }) => readPicture(png))]);
  return { first, png: imageFileOf(picture).png, leftOut: leftOut.flatMap((index) => drawing[index] ?? []) };
}

/** Returns the faults of positions that a schema cannot express. */
const positionFaults = (positions: readonly PreviewPosition[]) =>
  positions.flatMap(({ displayPosition, canvas, ecclink }, index) => {
    const pointer = `/positions/${index}`;
    const isRepeated = positions.findIndex((one) => one.displayPosition === displayPosition) < index;
    return [
      ...(isRepeated
        ? [
            {
              pointer: `${pointer}/displayPosition`,
              detail: `position ${displayPosition} occurs twice: send each once`,
            },
          ]
        : []),
      ...((canvas === undefined) === !ecclink ? [{ pointer, detail: "requires either a canvas or an ecclink" }] : []),
    ];
  });
