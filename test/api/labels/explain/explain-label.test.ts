import test from "ava";
import { explainLabel } from "../../../../api/labels/explain/explain-label.ts";
import type { ExplanationFacts } from "../../../../api/labels/explain/explanation-facts.ts";
import { causeNames, LabelExplanation } from "../../../../schemas/explanation.ts";
import { compileCheck } from "../../../../schemas/validate.ts";
import { table } from "./causes.ts";
import {
  another,
  type Facts,
  imageOf,
  itemMoved,
  label,
  pagesAt,
  position,
  present,
  queues,
  sending,
  state,
  wantsAnother,
} from "./differing-facts.ts";
import { at, factsOfALabel, ITEM, revAt } from "./facts-of-a-label.ts";

const check = compileCheck(LabelExplanation);
const explained = (facts: ExplanationFacts, now = at(9)) =>
  explainLabel(facts, now, (date) => date.toISOString().slice(11, 16));

for (const [what, { differs, cause, summary }] of Object.entries(table)) {
  test(`${what}: the cause comes first, as a sentence and as a name`, (t) => {
    const explanation = explained({ ...factsOfALabel(), ...differs });
    t.is(explanation.cause, cause);
    t.regex(explanation.summary, summary);
    t.is(explanation.sentences[0], explanation.summary);
    t.is(explanation.waits[0]?.cause, cause);
    t.deepEqual(check(JSON.parse(JSON.stringify(explanation))), []);
  });
}

test("no event is reported as later than now, even if the clock of the process that stored it is ahead", (t) => {
  const facts = { ...factsOfALabel(), ...state({ ...wantsAnother, sending, sendDue: at(7) }), ...imageOf([another]) };
  const { waits, onItsWay } = explained(facts, at(5));
  t.deepEqual([waits[0]?.since, onItsWay?.since], ["10:05", "10:05"]);
  t.is(explained(facts).onItsWay?.since, "10:06");
});

test("the table has a row for every cause", (t) => {
  t.deepEqual([...new Set(Object.values(table).map(({ cause }) => cause))].sort(), causeNames.toSorted());
});

test("if there are several causes the gravest is named first, followed by the others", (t) => {
  const { waits, sentences } = explained({
    ...factsOfALabel(),
    ...itemMoved,
    ...queues("renderer", { processes: 0 }),
    ...state({ ...wantsAnother, sending, tries: 1 }),
    ...imageOf([another]),
  });
  t.deepEqual(
    waits.map(({ cause }) => cause),
    ["PROCESS_MISSING", "ON_ITS_WAY"],
  );
  t.regex(sentences[1] ?? "", /^In addition, a newer picture was sent once/);
});

test("for an earlier picture, the item and price that it shows are reported if they are known", (t) => {
  const content = { items: [{ itemId: "apple", price: "0.99", rev: 1 }], changedAt: 1 };
  const [page] = factsOfALabel().state?.shown ?? [];
  const sent = [{ number: 1, page: 0, image: page?.image ?? "", content }];
  const { summary } = explained({ ...factsOfALabel(), ...itemMoved, ...state({ sent }) });
  t.regex(summary, /^The label shows an earlier picture, of item "apple" at 0\.99, since 10:05, because the renderer/);
});

test("the trace of the rules explains why no design was chosen", (t) => {
  const trace = {
    scenarios: [
      {
        id: "s",
        name: "Sale",
        ancestors: [],
        expression: "x",
        isAsked: true,
        value: false,
        missing: [],
        error: "no number",
      },
    ],
    match: null,
    designs: [],
    design_id: null,
  };
  const [first] = factsOfALabel().positions;
  const designerLink = first.designerLink && { ...first.designerLink, design_id: null };
  const { sentences } = explained({ ...factsOfALabel(), ...position({ trace, designerLink }) });
  t.true(
    sentences.includes('Position 0 has no design: no scenario applies; "Sale" could not be evaluated: no number.'),
    sentences.join("\n"),
  );
});

test("if no scenario applies the summary says so, lists the item's missing values, and does not blame the label's type", (t) => {
  const scenario = { id: "s", name: "Sale", ancestors: [], expression: "x", isAsked: true, value: false };
  const trace = { scenarios: [{ ...scenario, missing: ["item.margin"] }], match: null, designs: [], design_id: null };
  const fault = { reason: "NO_COMPATIBLE_DESIGN" as const, detail: "no design fits label type 1328" };
  const image = present && { image: { ...present, fault } };
  const { summary } = explained({
    ...factsOfALabel(),
    ...position({ trace }),
    ...image,
    ...state({ fault: fault.detail }),
  });
  t.regex(
    summary,
    /shows its background, .* because it could not be drawn: no scenario applies; "Sale" requires item\.margin, which is missing/,
  );
});

test("an uploaded image is reported as such and without a price, whatever the item's price", (t) => {
  const shown = { page: 0, image: "c".repeat(64) };
  const uploaded = { ...shown, uploaded: true as const };
  const { summary, sentences, glass } = explained({
    ...factsOfALabel(),
    ...imageOf([uploaded]),
    ...state({ wanted: [uploaded], shown: [{ ...shown, deliveredAt: at(5), through: 1 }] }),
  });
  t.regex(summary, /^The label shows an uploaded image of "Apple", item "apple", since 10:05/);
  t.true(sentences.some((one) => one.includes("the price that it shows is unknown")));
  t.deepEqual(glass[0]?.items, [{ itemId: "apple", price: null, rev: revAt(0) }]);
  t.true(glass[0]?.isUploaded);
});

test("the inputs of a picture come from its own record, not from the current item", (t) => {
  const shows = present?.shows.map((one) => ({ ...one, price: "0.89" }));
  const { summary, glass } = explained({
    ...factsOfALabel(),
    ...(present && shows && { image: { ...present, shows } }),
  });
  t.regex(summary, /at 0\.89, since 10:05/);
  t.is(glass[0]?.items?.[0]?.price, "0.89");
});

test("after a change to a store setting that a label shows, the label must be drawn again", (t) => {
  const store = "store t/demo/s/main";
  const [first] = factsOfALabel().positions;
  const inputs = [...(first.rendered?.inputs ?? []), `${store}=0123456789abcdef`];
  const rendered = first.rendered && { ...first.rendered, inputs };
  const withStore = (digest: string) =>
    explained({ ...factsOfALabel(), ...position({ rendered }), digests: new Map([[store, digest]]) });
  t.is(withStore("0123456789abcdef").cause, "UP_TO_DATE");
  const { cause, summary } = withStore("fedcba9876543210");
  t.is(cause, "STAGE_WAITS");
  t.regex(summary, /the change to the store "main"/);
});

test("changed inputs of a record are listed with the record", (t) => {
  const { positions } = explained({ ...factsOfALabel(), ...itemMoved });
  const rendered = positions[0]?.records.find(({ record }) => record === "renderedimage.v1");
  t.deepEqual(rendered?.moved, [`storeitemvalues.v1 ${ITEM}#${revAt(0)}`]);
  t.is(label.barcode, "A");
});

test("a page of uncertain state is not reported as showing the newest picture", (t) => {
  const uncertain = state({ shown: (factsOfALabel().state?.shown ?? []).map((one) => ({ ...one, uncertain: true })) });
  t.true(explained(factsOfALabel()).glass[0]?.isWanted);
  t.false(explained({ ...factsOfALabel(), ...uncertain }).glass[0]?.isWanted);
});

test("a page image that could not be drawn in the label's size is reported with its reason", (t) => {
  const size = { width: 296, height: 128, colors: ["white" as const, "black" as const] };
  const labelType = { type: 1, ...size, display: "matrix" as const, flash: true, pages: 2 };
  const failed = [{ ...size, reason: "the image is 10 x 10 pixels" }];
  const source = { page: 1, upload: "c".repeat(64), resize: 1 as const, width: 10, height: 10, stamp: 5, failed };
  const sentencesOn = (differs: Partial<Facts>) =>
    explained({ ...factsOfALabel(), labelType, ...differs }).sentences.filter((one) => one.includes("page 1"));
  t.deepEqual(sentencesOn(position({ pages: pagesAt(3, [source]) })), [
    "The uploaded image of page 1 could not be drawn in 296 x 128: the image is 10 x 10 pixels.",
  ]);
  t.deepEqual(sentencesOn(position({ pages: pagesAt(3, [{ ...source, failed: [] }]) })), []);
});

test("an earlier picture that no transmitter has replaced yet is not reported as the newest", (t) => {
  const facts = factsOfALabel();
  const image = facts.image && { ...facts.image, pages: [{ page: 0, image: "b".repeat(64) }] };
  t.false(explained({ ...facts, image }).glass[0]?.isWanted);
});
