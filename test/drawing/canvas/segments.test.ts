import test from "ava";
import fc from "fast-check";
import type { Variables } from "../../../domain/expression/expression.ts";
import { compileCanvas } from "../../../drawing/canvas/compile-canvas.ts";
import { drawSegments } from "../../../drawing/canvas/segments.ts";
import { DrawingError } from "../../../drawing/text/drawing-error.ts";
import type { Element } from "../../../schemas/canvas.ts";
import { inkOf, rowsOf, told } from "../drawing.ts";

const area = { x: 0, y: 0, width: 96, height: 32, font: "regular", size: 32, color: "black" } as const;
const text = (template: string, more: object = {}): Element => ({ kind: "text", ...area, ...more, text: template });
const price = (value = "${item.price}", more: object = {}): Element => ({ kind: "price", ...area, ...more, value });
const croatia = { locale: "hr-HR", currency: "EUR" };

function draw(elements: Element[], item: Variables[string] = {}, store = croatia, size = { width: 96, height: 32 }) {
  const canvas = compileCanvas({ name: "test", ...size, background: "white", elements });
  const labelType = { type: 1210, width: 96, height: 32, colors: ["white" as const, "black" as const] };
  const drawn = drawSegments(canvas, {
    labelType,
    variables: { item, link: {}, device: {}, store },
    store,
    images: new Map(),
  });
  return told({ ...drawn, errors: [] });
}

const shown: [rule: string, element: Element, item: Record<string, string>, text: string][] = [
  ["a price uses the store's locale, without its currency", price(), { price: "1.99" }, "1,99"],
  ["a price has its currency's decimals", price(), { price: "5" }, "5,00"],
  ["a locale's minus sign becomes an ASCII minus", price(), { price: "-1.5" }, "-1,50"],
  ["a separator is never omitted", price(undefined, { separator: "none" }), { price: "12.49" }, "12,49"],
  ["a price uses thousands separators if there is space", price(), { price: "1234.5" }, "1.234,50"],
  ["a price without enough space omits thousands separators", price(), { price: "12345.5" }, "12345,50"],
  ["a price that is not a number is shown as sent", price(), { price: "- 7 -" }, "- 7 -"],
  ["text is shown unchanged", text("${item.code}"), { code: "12-34.56" }, "12-34.56"],
  ["leading and trailing spaces are removed", text("  ${item.code} "), { code: "7" }, "7"],
  ["up to eight characters are shown", text("12345678"), {}, "12345678"],
  ["right alignment uses spaces", price(undefined, { align: "right" }), { price: "1.99" }, "    1,99"],
  ["centring uses spaces", price(undefined, { align: "center" }), { price: "1.99" }, "  1,99"],
  ["a missing value is blank", price(), {}, ""],
  ["an invisible element is blank", text("7", { visible: "false" }), {}, ""],
];
for (const [rule, element, item, expected] of shown) {
  test(`${rule}: "${expected}"`, (t) => t.is(draw([element], item).text, expected));
}

const refusals: [rule: string, elements: Element[], item: Record<string, string>, message: RegExp][] = [
  ["nine characters", [text("123456789")], {}, /"123456789".*up to 8/],
  ["a price that does not fit even without thousands separators", [price()], { price: "1234567.5" }, /"1234567,50"/],
  ["a letter", [text("A-12")], {}, /"A-12"/],
  ["a currency", [text("1,99 €")], {}, /€/],
  ["a design without text or a price", [{ kind: "box", x: 0, y: 0, width: 9, height: 9, fill: "black" }], {}, /has 0/],
  ["a design with both text and a price", [text("1"), price()], { price: "1" }, /has 2/],
];
for (const [rule, elements, item, message] of refusals) {
  test(`${rule} cannot be shown, and is an error`, (t) => {
    t.throws(() => draw(elements, item), { instanceOf: DrawingError, message });
  });
}

test("a design of a different size is an error", (t) => {
  t.throws(() => draw([text("1")], {}, croatia, { width: 100, height: 32 }), { message: /100 x 32/ });
});

test("an unsupported element of a segment label causes a warning, and so does an expression without a value", (t) => {
  const box: Element = { kind: "box", x: 0, y: 0, width: 9, height: 9, fill: "black" };
  const { text: said, warnings } = draw([box, price()], {});
  t.is(said, "");
  t.deepEqual(warnings, ["segment labels cannot show an element of the kind box", "${item.price} has no value"]);
});

test("an invalid price is also reported on segments", (t) => {
  t.deepEqual(draw([price()], { price: "0.00" }).warnings, ['the price "0.00" is not greater than 0']);
  t.deepEqual(draw([price()], { price: "1,99" }).warnings, ['the price "1,99" is not a number and is shown as sent']);
});

test("a price that is shown as a different number is reported", (t) => {
  const { text: said, warnings } = draw([price(undefined, { decimals: 1 })], { price: "12.46" });
  t.is(said, "12,5");
  t.deepEqual(warnings, ["the price 12.46 is rounded to 12.5, because it is shown with 1 decimals"]);
});

test("an empty string is a blank display", (t) => t.is(inkOf(draw([text("")]).picture), undefined));

test("each character fills its own eighth of the display", (t) => {
  for (let index = 0; index < 8; index += 1) {
    const { right = 0 } = inkOf(draw([text(`${".".repeat(index)}8`)]).picture) ?? {};
    t.true(right > index * 12 && right <= (index + 1) * 12, String(index));
  }
});

test("an 8 lights every segment, a 1 only those on the right, and a minus only the middle one", (t) => {
  const inkAt = (character: string) => inkOf(draw([text(character)]).picture);
  t.deepEqual(inkAt("8"), { left: 2, right: 10, top: 2, bottom: 30 });
  t.deepEqual(inkAt("1"), { left: 8, right: 10, top: 2, bottom: 30 });
  t.deepEqual(inkAt("-"), { left: 2, right: 10, top: 15, bottom: 17 });
});

test("different strings have different pictures", (t) => {
  const character = fc.constantFrom(..."0123456789.,-");
  const line = fc.string({ unit: character, maxLength: 8 });
  fc.assert(
    fc.property(line, line, (one, other) => {
      const rowsWith = (content: string) => rowsOf(draw([text(content)]).picture).join();
      t.is(rowsWith(one) === rowsWith(other), one === other);
    }),
  );
});
