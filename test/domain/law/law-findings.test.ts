import test from "ava";
import { designFindings, isPerishable, itemFindings, storeFindings } from "../../../domain/law/law-findings.ts";
import { type LawCheckName, lawChecks, provisionOf } from "../../../domain/law/provisions.ts";
import type { CanvasDesign, Element } from "../../../schemas/canvas.ts";
import type { Item } from "../../../schemas/item.ts";

const area = { x: 0, y: 0, width: 200, height: 40 };
const text = (content: string, more: object = {}): Element =>
  ({ kind: "text", ...area, font: "bold", size: 30, color: "black", text: content, ...more }) as Element;
const price = (value = "${item.price}", more: object = {}): Element =>
  ({ kind: "price", ...area, font: "bold", size: 60, color: "black", value, ...more }) as Element;
const unitPrice = text("${unitPrice(item.price, item.quantity)}");
const prior = text("${lowestPrice30(item.priorPrice)}");
const canvas = (...elements: Element[]): CanvasDesign => ({
  name: "offer",
  width: 296,
  height: 128,
  background: "white",
  elements,
});

const bare: Item = { itemId: "milk", price: "1.99", sics: [], properties: [], stamps: {}, created: 1 };
const item = (properties: Record<string, string>, prior?: string): Item => ({
  ...bare,
  properties: Object.entries(properties).map(([key, value]) => ({ key, value, stamp: 1 })),
  ...(prior !== undefined && { charged: { since: 2, first: 1, before: [], prior } }),
});

/** For each check, a wrong example and the corrected one. */
const cases: Record<LawCheckName, { country: string; wrong: Example; right: Example }> = {
  PRIOR_PRICE: {
    country: "HR",
    wrong: canvas(price(), price("${item.formerPrice}", { struck: true }), unitPrice),
    right: canvas(price(), price("${item.formerPrice}", { struck: true }), unitPrice, prior),
  },
  PERCENT_BASE: {
    country: "DE",
    wrong: canvas(text("${discount(item.price, item.formerPrice)}"), prior),
    right: canvas(text("${discount(item.price, has(item.x) ? item.x : item.priorPrice)}"), prior),
  },
  STRUCK_PRICE: {
    country: "FR",
    wrong: canvas(price("${item.formerPrice}", { struck: "middle" }), prior),
    right: canvas(price("${item.lowestPrice30}", { struck: "middle" }), prior),
  },
  UNIT_PRICE: { country: "GB", wrong: canvas(price()), right: canvas(price(), unitPrice) },
  LOYALTY_PRICE: {
    country: "GB",
    wrong: canvas(price("${item.loyaltyPrice}"), text("with card")),
    right: canvas(price("${item.loyaltyPrice}"), text("with card"), price()),
  },
  LOYALTY_CONDITION: {
    country: "GB",
    wrong: canvas(price("${item.loyaltyPrice}"), price()),
    right: canvas(price("${item.loyaltyPrice}"), price(), text("with card")),
  },
  DEPOSIT_APART: {
    country: "DE",
    wrong: canvas(text("${price(string(double(item.price) + double(item.deposit)))}")),
    right: canvas(text('${price(item.price) + " + " + price(item.deposit)}')),
  },
  DEPOSIT_SHOWN: {
    country: "DE",
    wrong: canvas(price()),
    right: canvas(price(), text("${price(item.Pfand)}")),
  },
  LEGIBLE_SIZE: {
    country: "SE",
    wrong: canvas(text("${unitPrice(item.price, item.quantity)}", { size: 9 })),
    right: canvas(unitPrice, text("${item.itemName}", { size: 9 })),
  },
  LEGIBLE_CONTRAST: {
    country: "SE",
    wrong: canvas(price("${item.price}", { color: "yellow" })),
    right: canvas({ kind: "box", ...area, fill: "black" } as Element, price("${item.price}", { color: "yellow" })),
  },
  SENT_PRIOR_PRICE: {
    country: "HR",
    wrong: item({ lowestPrice30: "2.49" }, "1.79"),
    right: item({ lowestPrice30: "2.49" }, "2.490"),
  },
  NO_REDUCTION: {
    country: "DE",
    wrong: item({ formerPrice: "2.99" }, "1.99"),
    right: item({ formerPrice: "2.99" }, "2.49"),
  },
  QUANTITY: { country: "AT", wrong: item({}), right: item({ quantity: "1 l" }) },
  METRIC: { country: "GB", wrong: item({ quantity: "16 fl oz" }), right: item({ quantity: "0.5 l" }) },
  UNIT_OF_UNIT_PRICE: { country: "DE", wrong: { UNIT_PRICE_PER_100: true }, right: {} },
};
type Example = CanvasDesign | Item | { UNIT_PRICE_PER_100?: boolean };

const context = { itemKeys: new Set(["Pfand"]) };
function checksOf(example: Example, country: string, date = "2026-11-28"): string[] {
  const law = { country, date };
  if ("elements" in example)
    return designFindings(law, { id: "a", canvas: example }, context).map(({ check }) => check);
  if ("itemId" in example) return itemFindings(law, example, false).map(({ check }) => check);
  return storeFindings(law, "main", { parameters: example }).map(({ check }) => check);
}

for (const [check, { country, wrong, right }] of Object.entries(cases))
  test(`${check} finds what its provision forbids, and nothing in the corrected example`, (t) => {
    t.true(checksOf(wrong, country).includes(check));
    t.false(checksOf(right, country).includes(check));
    t.deepEqual(checksOf(wrong, "US"), []);
  });

test("a provision applies from its date, and a country's own provision precedes the directive's", (t) => {
  const { wrong } = cases.LOYALTY_PRICE;
  t.false(checksOf(wrong, "GB", "2026-04-05").includes("LOYALTY_PRICE"));
  t.true(checksOf(wrong, "GB", "2026-04-06").includes("LOYALTY_PRICE"));
  t.is(provisionOf("UNIT_PRICE", "DE", "2026-01-01")?.source, "PAngV, section 4(1)");
  t.is(provisionOf("UNIT_PRICE", "HR", "2026-01-01")?.source, "Directive 98/6/EC, article 3(1)");
});

test("reductions of perishable goods are not checked if the store says how to recognise such goods", (t) => {
  const store = { priorPrice: { perishable: { property: "shelfLife", value: "short" } } };
  const fish = item({ lowestPrice30: "9", shelfLife: "short", quantity: "1 kg" }, "5");
  t.true(isPerishable(store, fish));
  t.false(isPerishable({}, fish));
  t.deepEqual(itemFindings({ country: "DE", date: "2026-01-01" }, fish, true), []);
});

test("breaches precede warnings, each with the location of its fault", (t) => {
  const { wrong } = cases.PRIOR_PRICE as { wrong: CanvasDesign };
  const variant = { ...wrong, width: 250, height: 122 };
  const found = designFindings(
    { country: "HR", date: "2026-01-01" },
    { id: "a", canvas: { ...wrong, variants: [variant] } },
    context,
  );
  t.deepEqual(
    found.map(({ check, level, pointer }) => [check, level, pointer]),
    [
      ["PRIOR_PRICE", "breach", ""],
      ["PRIOR_PRICE", "breach", "/variants/0"],
      ["STRUCK_PRICE", "warning", "/elements/1"],
      ["STRUCK_PRICE", "warning", "/variants/0/elements/1"],
    ],
  );
});

test("each check has a requirement, and provisions with a date", (t) => {
  for (const { requires, provisions } of Object.values(lawChecks)) {
    t.regex(requires, /\.$/);
    for (const { since, source } of provisions)
      t.true(since > "1998" && source !== "" && !Number.isNaN(Date.parse(since)));
  }
});
