import test from "ava";
import { encodePng } from "../../../drawing/pixels/png.ts";
import type { Element } from "../../../schemas/canvas.ts";
import { labelTypes } from "../../../scripts/demo/catalogue.ts";
import { items } from "../../scripts/demo/items.ts";
import { readCode } from "../codes/read-codes.ts";
import { drawElements } from "../drawing.ts";
import { renderEcc } from "./ecc-links.ts";

const matrixTypes = labelTypes.filter(({ display }) => display === "matrix");
const codes = [
  ["ean13", "3850334020802", "EAN13"],
  ["ean8", "40170725", "EAN8"],
  ["upca", "036000291452", "UPCA"],
  ["code128", "A-7/12", "Code128"],
  ["gs1-128", "(01)09501101530003", "Code128"],
  ["qr", "https://example.com/4711", "QRCode"],
  ["code39", "SHELF-12", "Code39"],
  ["itf14", "15400141288763", "ITF"],
  ["databar-expanded", "(01)09501101530003(3103)000750", "DataBarExpanded"],
  ["datamatrix", "https://example.com/4711", "DataMatrix"],
  ["gs1-datamatrix", "(01)09501101530003(17)260703", "DataMatrix"],
] as const;

for (const { type, width, height, colors } of matrixTypes) {
  for (const [kind, value, format] of codes) {
    test(`label type ${type}: the largest ${kind} that the label allows is readable, or the lack of space is reported`, async (t) => {
      const element: Element = { kind, x: 0, y: 0, width, height, value };
      const { picture, errors } = drawElements([element], { width, height, colors });
      if (errors.length > 0) {
        const [, needed, has] = /needs a width of (\d+) pixels, but has (\d+)/.exec(errors.join()) ?? [];
        t.true(Number(needed) > width && Number(has) === width, errors.join());
        return;
      }
      t.is((await readCode(encodePng(picture), format, { isGs1: /^gs1|databar/.test(kind) })).text, value);
    });
  }
}

/** One label type for each size, since colours do not affect a code. */
const sizes = matrixTypes.filter(
  ({ width, height }, index) =>
    width >= 240 && matrixTypes.findIndex((one) => one.width === width && one.height === height) === index,
);

for (const [index, { type, ...labelType }] of sizes.entries()) {
  test(`label type ${type}: product codes are readable on a price tag`, async (t) => {
    for (const item of items.filter((_, at) => at % sizes.length === index)) {
      const code = item.properties.find(({ key }) => key === "ean")?.value;
      // On a price tag an 8-digit code has no bars, and a 12-digit code has a leading zero.
      if (code === undefined || code.length < 12) continue;
      const { picture } = renderEcc({ type, ...labelType }, "price-tag", {}, {}, { item });
      t.is(
        (await readCode(encodePng(picture), "EAN13", { hasMore: true })).text,
        code.padStart(13, "0"),
        item.itemName,
      );
    }
  });
}
