import test from "ava";
import { explainLabel } from "../../../../api/labels/explain/explain-label.ts";
import type { ExplanationFacts } from "../../../../api/labels/explain/explanation-facts.ts";
import { notice } from "../../../../schemas/drawing-notice.ts";
import { LabelExplanation } from "../../../../schemas/explanation.ts";
import { scopes as allScopes } from "../../../../schemas/token.ts";
import { compileCheck } from "../../../../schemas/validate.ts";
import { at, factsOfALabel, revAt } from "./facts-of-a-label.ts";

const check = compileCheck(LabelExplanation);
const RULE = 'item.margin > "30"';
const trace = {
  design_id: "t/demo/designs/tag",
  match: { id: "secret-offer", name: "Secret offer" },
  designs: [],
  scenarios: [
    {
      id: "secret-offer",
      name: "Secret offer",
      ancestors: [],
      expression: RULE,
      isAsked: true,
      value: true,
      missing: [],
      error: 'double(item.price): "1.99"',
    },
  ],
};

/**
 * Returns a label with everything that an explanation may report about its item and its rules: an earlier picture, a fault,
 * warnings, a trace.
 */
function telling(): ExplanationFacts {
  const facts = factsOfALabel();
  const [position] = facts.positions;
  const detail = "the price 1.99 of ${item.margin} is wrong";
  const fault = { reason: "DRAWING_FAILED" as const, detail, notice: notice("DESIGN_INVALID", { detail }) };
  const page = { page: 0, image: "a".repeat(64) };
  const content = { items: [{ itemId: "apple", price: "1.89", rev: revAt(0) }], changedAt: revAt(0) };
  return {
    ...facts,
    image: facts.image && { ...facts.image, fault },
    state: facts.state && {
      ...facts.state,
      fault: fault.detail,
      wanted: [{ page: 0, image: "b".repeat(64) }],
      sent: [{ ...page, number: revAt(4), content }],
    },
    positions: [
      {
        ...position,
        trace,
        nextScheduled: at(30),
        studioLink: position.studioLink && { ...position.studioLink, scenarioId: "secret-offer", conditions: [RULE] },
        rendered: position.rendered && {
          ...position.rendered,
          fault,
          errors: ["1.99"],
          warnings: ["${item.margin}"],
          notices: [
            notice("PRICE_COVERED", { text: "1.99", by: " (box at /elements/2)" }),
            notice("NO_VALUE", { expression: "item.margin" }),
          ],
        },
      },
    ],
  };
}

const explained = (...scopes: string[]) =>
  explainLabel(telling(), at(9), (date) => date.toISOString(), new Set(["labels:read", ...scopes]));
const all = (...scopes: string[]) => JSON.stringify(explained(...scopes));

const OF_ITEMS = [/Apple/, /1\.99/, /1\.89/, /10:30/];
const OF_RULES = [/secret/i, /margin/];

test("with only labels:read an explanation has no item values and nothing about the rules", (t) => {
  for (const part of [...OF_ITEMS, ...OF_RULES]) t.notRegex(all(), part);
  t.deepEqual(check(explained()), []);
});

test("with items:read an explanation includes the item's name and price, but nothing about the rules", (t) => {
  for (const part of OF_ITEMS) t.regex(all("items:read"), part);
  for (const part of OF_RULES) t.notRegex(all("items:read"), part);
});

test("with design:read an explanation includes the scenario, but no item values", (t) => {
  t.is(explained("design:read").positions[0]?.design?.scenario, "secret-offer");
  for (const part of OF_ITEMS) t.notRegex(all("design:read"), part);
});

test("with both scopes, or with every scope, an explanation withholds nothing", (t) => {
  for (const part of [...OF_ITEMS, ...OF_RULES]) t.regex(all("items:read", "design:read"), part);
  t.deepEqual(explained("items:read", "design:read"), explained(...allScopes));
  t.deepEqual(explained(...allScopes).withheld, []);
});

test("drawing notices include their codes", (t) => {
  const [position] = explained(...allScopes).positions;
  t.deepEqual(
    position?.notices?.map(({ code }) => code),
    ["PRICE_COVERED", "NO_VALUE"],
  );
  t.is(position?.fault?.notice?.code, "DESIGN_INVALID");
  t.is(explained().positions[0]?.notices, undefined);
});

test("an explanation lists its withheld parts and the scopes that reveal them", (t) => {
  t.deepEqual(
    explained("items:read").withheld.map(({ scopes }) => scopes),
    [["design:read"], ["design:read"]],
  );
  t.deepEqual(
    explained().withheld.map(({ scopes }) => scopes),
    [["items:read"], ["design:read"], ["items:read", "design:read"]],
  );
  t.true(explained().sentences.some((sentence) => /^Withheld: .* lacks items:read and design:read\.$/.test(sentence)));
});

test("the cause and the label's state are the same whatever is withheld", (t) => {
  const { cause, plState, fault } = explained();
  const { cause: wholeCause, plState: wholeState } = explained(...allScopes);
  t.deepEqual([cause, plState, fault?.reason], [wholeCause, wholeState, "DRAWING_FAILED"]);
});
