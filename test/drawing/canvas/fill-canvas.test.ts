import test from "ava";
import { type CompiledLayout, compileCanvas } from "../../../drawing/canvas/compile-canvas.ts";
import { type FilledLayout, fillLayout } from "../../../drawing/canvas/fill-canvas.ts";
import type { Element } from "../../../schemas/canvas.ts";
import { noticeText } from "../../../schemas/drawing-notice.ts";

const area = { x: 0, y: 0, width: 50, height: 20 };
const type = { font: "regular", size: 12, color: "black" } as const;
const text = (template: string): Element => ({ kind: "text", ...area, ...type, text: template });
const price = (value: string): Element => ({ kind: "price", ...area, ...type, value });
const code = (value: string): Element => ({ kind: "qr", ...area, value });
const box: Element = { kind: "box", ...area, fill: "black" };

function fill(elements: Element[], item: Record<string, string> = {}): FilledLayout {
  const { layouts } = compileCanvas({ name: "test", width: 50, height: 20, background: "white", elements });
  const [layout] = layouts;
  if (layout === undefined) throw new Error("a design has a layout");
  return fillLayout(layout, { item, link: {}, device: {}, store: {} });
}

const textsOf = ({ elements }: FilledLayout): string[] => elements.map((one) => one.text);

test("elements keep their order and the text that they show", (t) => {
  const { elements, warnings } = fill([text("a${item.x}"), box, price("${item.x}"), code("c")], { x: "1" });
  t.deepEqual(
    elements.map(({ element, text: shown }) => [element.kind, shown]),
    [
      ["text", "a1"],
      ["box", ""],
      ["price", "1"],
      ["qr", "c"],
    ],
  );
  t.deepEqual(warnings, []);
});

test("functions write in their element's locale, and conditions use the store's", (t) => {
  const store = { locale: "hr-HR", currency: "EUR", timeZone: "UTC" };
  const shown = "${date('2026-07-03')} ${unit('ko')} ${lowestPrice30('1.5')} ${price('1.5')} ${store.locale}";
  const own = { ...text(shown), locale: "de-DE", visible: "store.locale == 'hr-HR'" } as Element;
  const { layouts } = compileCanvas({ name: "test", width: 50, height: 20, background: "white", elements: [own] });
  const filled = fillLayout(layouts[0] as CompiledLayout, { item: {}, link: {}, device: {}, store });
  t.deepEqual(textsOf(filled), ["3.7.2026 Stk. Niedrigster Preis der letzten 30 Tage: 1,50\u00a0€ 1,50\u00a0€ de-DE"]);
});

test("invisible and empty elements are omitted", (t) => {
  t.deepEqual(fill([{ ...box, visible: "item.x == '2'" }, text(" "), text("${item.x}")], { x: "" }).elements, []);
});

test("text is shown without its missing values, but a price or a code with a missing value is not shown", (t) => {
  const filled = fill([text("a ${item.y}"), price("1${item.y}"), code("c${item.y}")]);
  t.deepEqual(textsOf(filled), ["a "]);
  t.deepEqual(filled.warnings.map(noticeText), Array(3).fill("${item.y} has no value"));
});

test("items with equal values fill a layout in the same way, whatever their other fields", (t) => {
  const elements = [text("${item.name}"), { ...box, visible: "has(item.offer)" }];
  t.deepEqual(fill(elements, { name: "Kruh", ean: "1" }), fill(elements, { name: "Kruh", ean: "2" }));
  t.notDeepEqual(fill(elements, { name: "Kruh", offer: "1" }), fill(elements, { name: "Kruh" }));
});
