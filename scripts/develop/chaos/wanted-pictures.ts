import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { CompiledCanvas } from "../../../drawing/canvas/compile-canvas.ts";
import { encodePng } from "../../../drawing/pixels/png.ts";
import { inBatches } from "../../../schemas/in-batches.ts";
import type { Item, ItemPatch } from "../../../schemas/item.ts";
import { labelTypes } from "../../demo/catalogue.ts";
import { chooseDemoDesign, drawDemo } from "../../demo/draw.ts";
import { labelRowsFor } from "../../operate/import/label-rows.ts";

/** What every glass must show: the picture of a label's last price. */
export interface Wanted {
  barcode: string;
  itemId: string;
  sha256: string;
  png: Uint8Array;
}

/** Number of pictures drawn without a pause, because this process also forwards the other processes' MongoDB traffic. */
const PICTURES_PER_BATCH = 20;

/**
 * Returns the picture that each label must show once these rows are the newest of their items. The labels must have been made
 * for these items. `canvasOf` returns the canvas of a design if it is not the demo's.
 */
export function wantedOf(
  expected: readonly ItemPatch[],
  type: number,
  canvasOf?: (design: string) => CompiledCanvas,
): Wanted[] {
  const labelType = labelTypes.find((candidate) => candidate.type === type);
  if (labelType === undefined) throw new Error(`the demo has no label type ${type}`);
  const rows = labelRowsFor(
    expected.map(({ itemId }) => itemId),
    String(type),
  );
  return rows.map(({ barcode }, index) => {
    const item = itemOfRow(expected[index] ?? { itemId: "" });
    const design = chooseDemoDesign(item, type);
    const picture = encodePng(drawDemo(item, labelType, design, canvasOf?.(design ?? "")));
    const sha256 = createHash("sha256").update(picture).digest("hex");
    return { barcode, itemId: item.itemId, sha256, png: picture };
  });
}

/** Like `wantedOf`, but in steps between which this process can do other work. */
export async function drawWanted(expected: readonly ItemPatch[], type: number): Promise<Wanted[]> {
  const drawn: Wanted[] = [];
  for (const rows of inBatches(expected, PICTURES_PER_BATCH)) {
    drawn.push(...wantedOf(rows, type));
    await setImmediate();
  }
  return drawn;
}

/** Returns the item that a row creates if no item existed before. */
const itemOfRow = ({ itemId, properties, itemName, price, itemGroup }: ItemPatch): Item => ({
  itemId,
  ...(itemName && { itemName }),
  ...(price && { price }),
  ...(itemGroup && { itemGroup }),
  sics: [],
  properties: Object.entries(properties ?? {}).map(([key, value]) => ({ key, value, stamp: 1 })),
  stamps: {},
  created: 1,
});
