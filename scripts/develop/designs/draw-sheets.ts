import { measuredColors } from "../../../drawing/pixels/light.ts";
import { encodePng } from "../../../drawing/pixels/png.ts";
import { noticeText } from "../../../schemas/drawing-notice.ts";
import type { Item } from "../../../schemas/item.ts";
import { labelTypes } from "../../demo/catalogue.ts";
import { demoDesigns } from "../../demo/designs.ts";
import { chooseDemoDesign, renderDemo } from "../../demo/draw.ts";
import type { Sheet } from "./contact-sheet.ts";

/** Draws every design of the demo on every label type that it fits, each with the products that are hardest for it. */
export const drawSheets = (items: readonly Item[]): Sheet[] =>
  labelTypes.map((labelType) => {
    const { type, width, height, colors } = labelType;
    const designs = demoDesigns.filter(({ design }) => design.compatible_esltype_ids.includes(type));
    return {
      title: `${type}: ${width} x ${height}, ${colors.join(", ")}`,
      rows: designs.map(({ id, key }) => ({
        title: id,
        pictures: extremeCases(items, (item) => chooseDemoDesign(item, type) === key).map((item) => {
          const { picture, fault, errors, warnings } = renderDemo(item, labelType, key);
          const messages = [
            ...(fault ? [`${fault.reason}: ${fault.detail}`] : []),
            ...[...errors, ...warnings].map(noticeText),
          ];
          return {
            png: encodePng(picture, measuredColors),
            width,
            height,
            caption: item.itemName ?? item.itemId,
            messages,
          };
        }),
      })),
    };
  });

/**
 * Of the products for which a design is chosen: the shortest and the longest name, the highest price, a product without
 * a code.
 */
function extremeCases(items: readonly Item[], isChosen: (item: Item) => boolean): Item[] {
  const withoutPrice = items.map(({ price: _, ...item }): Item => item);
  const chosen = [...items, ...withoutPrice].filter(isChosen);
  const byName = chosen.toSorted((a, b) => (a.itemName?.length ?? 0) - (b.itemName?.length ?? 0));
  const byPrice = chosen.toSorted((a, b) => Number(a.price ?? 0) - Number(b.price ?? 0));
  const withoutCode = chosen.find(({ properties }) => !properties.some(({ key }) => key === "ean"));
  const found = [byName.at(0), byName.at(-1), byPrice.at(-1), withoutCode].filter((item) => item !== undefined);
  return [...new Set(found)];
}
