import test from "ava";
import {
  type Counts,
  countsText,
  refusalsText,
  stoppedText,
} from "../../../../api/pages/browser/designer/publishing/counts.ts";
import { type Difference, differenceText } from "../../../../api/pages/browser/designer/publishing/differences.ts";
import { textsIn } from "../../../../api/pages/browser/texts.ts";
import { publishing } from "../../../../api/pages/messages/designer/publishing/en.ts";

const text = textsIn({ dataset: { texts: JSON.stringify({ language: "en", texts: publishing }) } });
const nothing: Counts = {
  ...{ labels: 0, blank: 0, drawn: 0, faulty: 0, worse: 0, cut: 0, isBounded: false },
  ...{ changes: [], examples: [] },
};

test("the effects of a publication are described in words", (t) => {
  const cases: [Partial<Counts>, string][] = [
    [{}, "No label would change."],
    [{ labels: 3, drawn: 3 }, "3 labels would change. 3 pictures compared; none gets worse."],
    [
      { labels: 123, blank: 1, drawn: 2, faulty: 1, worse: 2, cut: 1, isBounded: true },
      "123 labels would change. 1 label would no longer have a design. 1 label would show nothing because of a fault. " +
        "2 labels would get worse. 1 label would have text cut off. Not every label was compared: there are too many.",
    ],
  ];
  for (const [counts, expected] of cases) t.is(countsText({ ...nothing, ...counts }, text), expected);
});

test("a refusal says whether the limits or a later publication caused it", (t) => {
  const [beyond, outdated] = [text("publishing.beyond"), text("publishing.outdated")];
  const counts = { ...nothing, blank: 2, worse: 5 };
  t.is(refusalsText({ counts, refusals: [] }, { blank: 2 }, text), "");
  t.is(refusalsText({ counts, refusals: ["two"] }, { blank: 1 }, text), beyond);
  t.is(
    refusalsText({ counts, refusals: ["two", "five", "later"] }, { blank: 0, worse: 4 }, text),
    `${beyond} ${outdated}`,
  );
  t.is(refusalsText({ counts, refusals: ["later"] }, {}, text), outdated);
});

test("a difference is described by the names around it and by its field's name and values", (t) => {
  const cases: [Difference, string][] = [
    [{ pointer: "/scenarios/2", kind: "ADDED", names: ["Offer"], after: {} }, "Offer: new"],
    [{ pointer: "/scenarios/2", kind: "REMOVED", names: ["Offer", "Wine"], before: {} }, "Offer › Wine: removed"],
    [
      { pointer: "/scenarios/0", kind: "MOVED", names: ["Offer"], before: 2, after: 0 },
      "Offer: moved from no. 3 to no. 1",
    ],
    [
      { pointer: "/scenarios/0/cel_expression", kind: "CHANGED", names: ["Offer"], before: "a", after: "b" },
      "Offer › condition: a → b",
    ],
    [{ pointer: "/elements/1/size", kind: "ADDED", names: ["price"], after: 12 }, "price › size: 12 (new)"],
    [{ pointer: "/a~1b", kind: "REMOVED", names: [], before: ["x"] }, 'a/b: no longer ["x"]'],
    [
      { pointer: "/design_ids", kind: "CHANGED", names: ["Offer"], before: ["d/1"], after: "x".repeat(121) },
      `Offer › design_ids: design 1 → ${"x".repeat(120)} …`,
    ],
  ];
  const saying = {
    field: (name: string) => (name === "cel_expression" ? "condition" : undefined),
    value: (value: unknown, field: string) => (field === "design_ids" && Array.isArray(value) ? "design 1" : undefined),
  };
  for (const [difference, expected] of cases) t.is(differenceText(difference, text, saying), expected);
});

test("the reason why a canary was stopped is given with its numbers", (t) => {
  t.is(stoppedText({ labels: 90, faulty: 1, stoppedBy: null }, text), "");
  const said = stoppedText({ labels: 90, faulty: 1, stoppedBy: { labels: 100, faulty: 12, limit: 0.015 } }, text);
  t.true(
    said.startsWith(
      "In these stores, 12 of 100 labels show a fault, compared with 1 of 90 before. The share may rise by 1.5%.",
    ),
  );
});
