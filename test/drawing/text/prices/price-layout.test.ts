import test from "ava";
import { inkBoxOf, layOutPrice, type PriceLook, stampPrice } from "../../../../drawing/text/prices/price-layout.ts";
import type { PriceParts } from "../../../../drawing/values/format-price.ts";

const look: PriceLook = { font: "regular", locale: "en", decimals: 0.5, currency: 0.3, minimumSize: 8 };
const parts = (given: Partial<PriceParts>): PriceParts => {
  return { before: "", integer: "12", separator: ",", decimals: "49", after: "", isVerbatim: false, ...given };
};
const layOut = (given: Partial<PriceParts>) => layOutPrice(parts(given), 60, look);
const partOf = (given: Partial<PriceParts>, text: string) => layOut(given).pieces.find((piece) => piece.text === text);

test("decimals are raised to the tops of the integer's digits", (t) => {
  t.is(partOf({}, "12")?.rise, 0);
  t.is(partOf({}, ",")?.rise, 0);
  // A digit at 60 is 45 pixels tall, and a digit at 30 is 23.
  t.is(partOf({}, "49")?.rise, 22);
});

test("a currency before the number is raised as well, and a currency after it is on the baseline", (t) => {
  t.is(partOf({ before: "$" }, "$")?.rise, 45 - 14);
  t.is(partOf({ after: "€" }, "€")?.rise, 0);
});

test("a raised part taller than a digit needs space above the digits", (t) => {
  const [plain, high] = [layOut({}), layOut({ decimals: "Ẫ" })];
  t.is(plain.above, 45);
  t.true(high.above > 45);
});

test("a raised part that descends below its own baseline needs no space below the integer's", (t) => {
  t.is(layOut({ decimals: "gjp" }).below, layOut({}).below);
  t.is(layOut({ before: "gjp" }).below, layOut({}).below);
  t.true(layOut({ integer: "gjp" }).below > layOut({}).below, "a part on the baseline does");
});

test("a raised part is drawn above the integer's baseline", (t) => {
  const { top, bottom } = inkBoxOf(stampPrice(layOut({ integer: "", separator: "", decimals: "49" })));
  t.true(top <= -43 && bottom === 0, `${top} to ${bottom}`);
});

test("an omitted separator is drawn after all if the decimals are nearly as large as the integer", (t) => {
  const unseparated = parts({ separator: "", omittedSeparator: "," });
  const textAt = (size: number) =>
    layOutPrice(unseparated, size, look)
      .pieces.map(({ text }) => text)
      .join("");
  // At an integer size of 12 and above, decimals of at least 8 pixels are at most 70 percent of the integer.
  for (let size = 8; size <= 11; size += 1) t.is(textAt(size), "12,49", `at ${size}`);
  for (let size = 12; size <= 60; size += 1) t.is(textAt(size), "1249", `at ${size}`);
});
