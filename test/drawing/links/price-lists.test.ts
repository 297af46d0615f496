import { existsSync } from "node:fs";
import test from "ava";
import { layOutText } from "../../../drawing/text/draw-text.ts";
import { readSettings } from "../../../runtime/read-settings.ts";
import { drawnElements, type Element } from "../../../schemas/canvas.ts";
import type { PriceElement, TextElement } from "../../../schemas/canvas-texts.ts";
import type { Item } from "../../../schemas/item.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import { demoStore, labelTypes } from "../../../scripts/demo/catalogue.ts";
import { demoDesigns } from "../../../scripts/demo/designs.ts";
import { chooseDemoDesign, renderDemo } from "../../../scripts/demo/draw.ts";
import { readItems } from "../../../scripts/operate/import/read-items.ts";
import { sayTried, sizeToTry } from "../../harness/searches/effort.ts";
import { items as sample, storedItem } from "../../scripts/demo/items.ts";
import { drawElements, told } from "../drawing.ts";
import { misleading } from "../lines/misleading.ts";
import { digitsOf, readAtAny } from "../text/prices/read-price.ts";

/** The two real price lists if they are available, otherwise the shipped sample. */
const { SHELFWIRE_DATA: folder } = readSettings(["SHELFWIRE_DATA"]);
const files = ["0204.csv", "0530.csv"].map((name) => `${folder}/${name}`).filter((file) => existsSync(file));
const lists = await Promise.all(files.map((file) => readItems(file)));
const products = distinct(files.length > 0 ? lists.flat().map((patch) => storedItem(patch)) : sample);
const source = files.length > 0 ? "the real price lists" : "the sample of the price lists";

/** Products that labels show in the same way count once. */
function distinct(items: readonly Item[]): readonly Item[] {
  const seen = ({ itemName, price, properties }: Item) => JSON.stringify([itemName, price, properties]);
  return [...new Map(items.map((item) => [seen(item), item])).values()];
}

/** One label type for each size, since colours do not affect what fits. */
const sizes = [
  ...new Map(
    labelTypes
      .filter(({ display, colors }) => display === "matrix" && colors.includes("red"))
      .concat(labelTypes.filter(({ type }) => type === 1314))
      .map((labelType): [string, LabelType] => [`${labelType.width}x${labelType.height}`, labelType]),
  ).values(),
];

const elementsOf = (key: string | undefined): readonly Element[] =>
  drawnElements(demoDesigns.find((design) => design.key === key)?.canvas.elements ?? []);
/** Products, longest names first, because these are the hardest to fit. */
const byName = products.toSorted((one, other) => (other.itemName?.length ?? 0) - (one.itemName?.length ?? 0));
const prices = [...new Map(products.map((item) => [item.price ?? "", item])).entries()].toSorted(
  ([one], [other]) => other.length - one.length,
);
const HARDEST = sizeToTry(30, 100);
/** Whether this is the selling price; an offer may have a former price beside it. */
const isSellingPrice = (one: Element): one is PriceElement => one.kind === "price" && !one.struck;

/** Each value is tested at one size, and the hardest values at every size. */
const shareOf = <One>(all: readonly One[], size: number): readonly One[] =>
  all.filter((_, index) => index < HARDEST || index % sizes.length === size);

for (const [size, labelType] of sizes.entries()) {
  const { type, width, height } = labelType;

  test(`${width} x ${height}: products of ${source} are drawn, and none of their names misleads`, (t) => {
    sayTried(t, shareOf(byName, size).length, byName.length, "products");
    for (const item of shareOf(byName, size)) {
      const design = chooseDemoDesign(item, type);
      const { fault, warnings } = told(renderDemo(item, labelType, design));
      if (fault) t.fail(`${item.itemName}: ${fault.detail}`);
      const name = elementsOf(design).find(
        (one): one is TextElement => one.kind === "text" && one.text === "${item.itemName}",
      );
      if (name === undefined) throw new Error(`the design ${design} shows no name`);
      const { fitted } = layOutText(name, item.itemName ?? "", demoStore.locale);
      const isTold = warnings.some((warning) => warning.includes(" is cut: "));
      const misled = misleading(item.itemName ?? "", fitted) ?? (isTold === fitted.isCut ? undefined : "warns wrongly");
      if (misled) t.fail(`${item.itemName} ${misled}: ${fitted.lines.join(" / ")}; ${warnings.join("; ")}`);
    }
    t.pass();
  });

  test(`${width} x ${height}: prices of ${source} show all of their digits`, (t) => {
    for (const [price, item] of shareOf(prices, size)) {
      const element = elementsOf(chooseDemoDesign(item, type)).find(isSellingPrice);
      if (element === undefined) throw new Error(`no design shows the price ${price}`);
      // The condition on the display position is left out, since there is no link.
      const { visible: _, ...always } = element;
      const alone = { ...always, value: price, color: "black" as const, currency: "none" as const };
      const { picture } = drawElements([{ ...alone, x: 0, y: 0 }], {
        width: alone.width,
        height: alone.height,
        store: demoStore,
      });
      const fitting = Array.from({ length: element.size - 11 }, (_, index) => element.size - index);
      const pairs = fitting.map((size) => [size, Math.max(8, Math.round(size * 0.45))]);
      const read = readAtAny(picture, element.font, pairs);
      const { integer, decimals } = digitsOf(read ?? []);
      const [whole, fraction = ""] = price.split(".");
      if (integer !== whole || decimals !== fraction.padEnd(2, "0"))
        t.fail(`${price} is shown as ${integer} ${decimals}`);
    }
    t.pass();
  });

  test(`${width} x ${height}: a price has the same pixels on a complete label as by itself`, (t) => {
    const designOf = (item: Item) => chooseDemoDesign(item, type);
    const byLength = new Map(sample.map((item) => [`${designOf(item)} ${item.price?.length}`, item]));
    for (const item of byLength.values()) {
      const design = designOf(item);
      const element = elementsOf(design).find(isSellingPrice);
      if (element === undefined) throw new Error(`the design ${design} shows no price`);
      const { picture } = renderDemo(item, labelType, design);
      const { images: _, ...sized } = labelType;
      const alone = drawElements([{ ...element, value: item.price ?? "" }], { ...sized, store: demoStore }).picture;
      const differing = alone.pixels.findIndex((pixel, index) => pixel !== 0 && picture.pixels[index] !== pixel);
      t.is(differing, -1, item.itemName);
    }
  });
}
