import { type HardItem, type HardReason, hardItems } from "../../../domain/items/hard-items.ts";
import type { CompiledCanvas } from "../../../drawing/canvas/compile-canvas.ts";
import type { Item } from "../../../schemas/item.ts";
import type { Row } from "./contact-sheet.ts";
import { drawLabel, pictureOf, type Surroundings } from "./draw-label.ts";

/** Maximum number of pictures in a row if all items are drawn. */
const MAX_SHOWN = 60;

/** Returns a row with a picture of each item. */
export function rowOf(
  title: string,
  canvas: CompiledCanvas,
  items: readonly HardItem<Item>[],
  others: readonly Item[],
  around: Surroundings,
): Row {
  const pictures = items.map(({ item, why }, index) => {
    const beside = others.slice(index, index + around.positions - 1);
    return pictureOf(drawLabel(canvas, [item, ...beside], around), captionOf(item, why));
  });
  return { title, pictures };
}

/** Returns a row of the items that are hardest to draw. */
export const rowOfHardest = (
  title: string,
  canvas: CompiledCanvas,
  items: readonly Item[],
  around: Surroundings,
): Row => rowOf(title, canvas, hardItems(items, bareItem), items, around);

const bareItem = (itemId: string): Item => ({ itemId, sics: [], properties: [], stamps: {}, created: 0 });

/** Returns a row of all items. It counts them, and shows those that fail, then those with warnings. */
export function rowOfAll(title: string, canvas: CompiledCanvas, items: readonly Item[], around: Surroundings): Row {
  const { positions } = around;
  const counts = { items: items.length, failed: 0, warned: 0 };
  const [failed, warned]: [Item[][], Item[][]] = [[], []];
  for (let from = 0; from < items.length; from += positions) {
    const shown = items.slice(from, from + positions);
    const { failures, warnings } = drawLabel(canvas, shown, around);
    if (failures.length > 0) counts.failed += 1;
    else if (warnings.length > 0) counts.warned += 1;
    if (failures.length > 0 && failed.length < MAX_SHOWN) failed.push(shown);
    else if (warnings.length > 0 && warned.length < MAX_SHOWN) warned.push(shown);
  }
  // Drawn again, because pictures of all items would not fit into memory.
  const pictures = [...failed, ...warned]
    .slice(0, MAX_SHOWN)
    .map((shown) => pictureOf(drawLabel(canvas, shown, around), captionOf(shown[0] as Item)));
  return { title, pictures, counts };
}

const captionOf = ({ itemName, itemId }: Item, why?: HardReason): string =>
  `${why === undefined ? "" : `${wordsOf(why)}: `}${itemName ?? itemId}`;

const wordsOf = (why: HardReason): string => why.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
