import test from "ava";
import type { LayoutElement } from "../../../schemas/canvas.ts";
import { drawElements } from "../drawing.ts";

const sellingPrice = { kind: "price", x: 150, y: 0, width: 150, height: 80, font: "bold", value: "2.49" } as const;
const selling = (more: object = {}): LayoutElement => ({ ...sellingPrice, size: 60, color: "red", ...more });
const unitPrice = (more: object = {}): LayoutElement => ({
  ...{ kind: "text", x: 0, y: 0, width: 150, height: 80, font: "regular", size: 12, color: "black" },
  ...{ text: "4,98 €/kg", minimumPercentOfPrice: 30, ...more },
});
const larger = (size: number): LayoutElement => unitPrice({ size, minimumPercentOfPrice: undefined });

/** Returns the picture without the selling price, which is drawn in a different colour, and the warnings. */
function drawn(elements: LayoutElement[]): { rows: unknown; warnings: string[] } {
  const { picture, warnings } = drawElements(elements, { height: 80 });
  const pixels = picture.pixels.map((index) => (picture.palette[index] === "black" ? 1 : 0));
  return { rows: { ...picture, pixels }, warnings };
}

test("a unit price has at least its share of the selling price's size, wherever the selling price is in the design", (t) => {
  const asked = drawn([selling(), larger(18)]);
  t.deepEqual(drawn([selling(), unitPrice()]), asked);
  t.deepEqual(drawn([unitPrice(), selling()]), asked);
  t.deepEqual(drawn([selling(), unitPrice({ size: 24 })]), drawn([selling(), larger(24)]));
});

for (const more of [{}, { box: { stroke: "red" } }, { rotate: 90 }, { x: 260 }]) {
  const what = JSON.stringify(more);
  test(`the share refers to the drawn size of the selling price: ${what}`, (t) => {
    const narrow = (size: number) => selling({ width: 60, height: 70, size, ...more });
    const [warning = ""] = drawn([narrow(1000), unitPrice({ width: 60, minimumPercentOfPrice: 100 })]).warnings;
    const size = Number(/\((\d+) pixels\)/.exec(warning)?.[1]);
    const pictureAt = (asked: number) => drawElements([narrow(asked)]).picture;
    t.deepEqual(pictureAt(size), pictureAt(1000));
    t.notDeepEqual(pictureAt(size - 1), pictureAt(1000));
  });
}

test("without enough space a unit price is as large as fits, and a warning names both sizes", (t) => {
  const { rows, warnings } = drawn([selling(), unitPrice({ width: 60 })]);
  t.deepEqual(warnings, [
    '"4,98 €/kg" is drawn at 12 pixels, less than 30 percent of the price "2.49" (60 pixels), because a larger size does not fit',
  ]);
  t.deepEqual(rows, drawn([selling(), unitPrice({ width: 60, size: 12, minimumPercentOfPrice: undefined })]).rows);
});

test("struck, hidden and shared prices do not count as the selling price", (t) => {
  const former = { y: 40, height: 40, size: 40 };
  const others = [selling({ ...former, struck: true }), selling({ ...former, visible: "false" })];
  const alone = drawn([selling({ height: 40, size: 20 }), unitPrice({ minimumPercentOfPrice: 100 })]);
  for (const other of others) {
    const both = drawn([selling({ height: 40, size: 20 }), other, unitPrice({ minimumPercentOfPrice: 100 })]);
    t.deepEqual(both, alone);
  }
  t.deepEqual(drawn([unitPrice()]), drawn([larger(12)]));
  const asPrice = { ...sellingPrice, x: 0, size: 12, color: "black", minimumPercentOfPrice: 50 } as const;
  t.deepEqual(
    drawn([selling(), asPrice]),
    drawn([selling(), { ...asPrice, size: 30, minimumPercentOfPrice: undefined } as unknown as LayoutElement]),
  );
});

test("runs keep their relative sizes when their text grows", (t) => {
  const runs = (size: number) => [{ text: "4,98 €", size }, { text: "/kg" }];
  const of = (size: number, more: object) => unitPrice({ text: "", size, runs: runs(size * 1.5), ...more });
  t.deepEqual(drawn([selling(), of(12, {})]), drawn([selling(), of(18, { minimumPercentOfPrice: undefined })]));
});
