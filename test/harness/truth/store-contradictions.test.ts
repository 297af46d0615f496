import test from "ava";
import type { ShownState } from "../../../api/pages/browser/state-of-cause.ts";
import type { LabelExplanation } from "../../../schemas/explanation.ts";
import type { IntegrityReport, LabelBehind } from "../../../schemas/integrity.ts";
import type { StatedLabel } from "./contradictions.ts";
import type { StatedCard } from "./read-pages.ts";
import { type StatedResult, type StatedStore, storeContradictionsOf } from "./store-contradictions.ts";

const none: Record<ShownState, number> = { ERROR: 0, OFFLINE: 0, PENDING: 0, UNKNOWN: 0, OK: 0, NEW: 0 };
const labelOf = (glass: string, cause?: string) =>
  ({
    ...{ barcode: "A", glass, newest: "new", redrawn: undefined },
    explanation: cause && ({ cause } as LabelExplanation),
  }) as StatedLabel;

const card: StatedCard = {
  ...{ headline: "OK", named: undefined, labels: 3, compared: [3, 3], behind: 0, linked: 0 },
  counted: { ...none, OK: 2, NEW: 1 },
};
const result: StatedResult = {
  sent: { requestId: 7, operation: "patch-items", appliedAt: 1, rows: [{ itemId: "apple" }, { itemId: "pear" }] },
  result: {
    ...{ status: "COMPLETED", overallStatus: "SUCCESS", itemErrorCount: 0 },
    itemResults: [
      { itemId: "apple", status: "SUCCESS", errors: [] },
      { itemId: "pear", status: "SUCCESS_NEW_ITEM", errors: [] },
    ],
  },
};
const right: StatedStore = {
  listed: ["OK", "OK", "NEW"],
  summary: { labels: 3, plState: { ...none, OK: 2, NEW: 1 }, batteryState: { OK: 3, LOW: 0, UNKNOWN: 0 } },
  report: { labels: 3, upToDate: 3, behind: [], verdicts: { ...none, OK: 2, NEW: 1 } },
  ...{ card, labels: [labelOf("new", "UP_TO_DATE")], results: [result] },
};
const row = { barcode: "A", itemIds: [], cause: "GIVEN_UP", since: null, reason: "" } satisfies LabelBehind;

/** One of three labels is in trouble, and every view reports it. */
const report: IntegrityReport = {
  labels: 3,
  upToDate: 2,
  behind: [row],
  verdicts: { ...none, ERROR: 1, OK: 1, NEW: 1 },
};
const troubled = (more: Partial<StatedCard> = {}): Partial<StatedStore> => ({
  ...{ report, labels: [labelOf("old", "GIVEN_UP")] },
  card: {
    ...{ headline: "ERROR", named: 1, labels: 3, compared: [2, 3], behind: 1, linked: 1 },
    counted: { ...none, ERROR: 1, OK: 1, NEW: 1 },
    ...more,
  },
});
const answers = (more: Partial<StatedResult["result"]>): Partial<StatedStore> => ({
  results: [{ ...result, result: { ...result.result, ...more } }],
});
const onCard = (more: Partial<StatedCard>): Partial<StatedStore> => ({ card: { ...card, ...more } });

const cases: readonly [string, Partial<StatedStore>, RegExp?][] = [
  ["everything matches", {}],
  ["a store with a problem is reported", troubled()],
  ["a store without a card", { card: undefined }],
  ["more labels than are listed", { listed: undefined }],
  [
    "the list has other states",
    { listed: ["OK", "OK", "OK"] },
    /the summary counts 1 labels as NEW, and the list has 0/,
  ],
  [
    "the summary counts other labels",
    { summary: { ...right.summary, labels: 4 } },
    /the summary counts 4 .* integrity 3/,
  ],
  ["integrity does not add up", { report: { ...right.report, upToDate: 2 } }, /2 of 3 labels as right, and lists 0/],
  ["the card counts other labels", onCard({ labels: 4 }), /the overview counts 4 labels, integrity 3/],
  ["the tiles do not add up", onCard({ counted: { ...none, OK: 2 } }), /counts 3 labels, and its tiles 2/],
  ["the comparison differs", onCard({ compared: [2, 3] }), /calls 2 of 3 labels right, integrity 3 of 3/],
  ["there is no comparison", onCard({ compared: undefined }), /labels right, integrity 3 of 3/],
  ["a cause is omitted", troubled({ behind: 0, linked: 0 }), /causes count 0 labels, and integrity lists 1/],
  ["a cause links to fewer labels", troubled({ linked: 0 }), /causes count 1 labels, and link to 0/],
  ["the glass is wrong", { labels: [labelOf("old")] }, /calls every label right, and the glass of A is not/],
  ["the headline contradicts its tiles", troubled({ headline: "OK" }), /calls every label right, and its tiles do not/],
  ["the headline has another number", troubled({ named: 2 }), /names 2 labels, and the tiles another/],
  ["the headline has no number", troubled({ named: undefined }), /names undefined labels/],
  [
    "a label is in another tile",
    troubled({ counted: { ...none, OFFLINE: 1, OK: 1, NEW: 1 } }),
    /1 labels as OFFLINE, integrity 0/,
  ],
  ["explain has another state", { labels: [labelOf("new", "GIVEN_UP")] }, /0 labels as ERROR, and explain finds more/],
  ["a row has no result", answers({ itemResults: [] }), /request 7 has 2 rows, and its result 0/],
  ["errors are not counted", answers({ itemResults: failing() }), /result 7 counts 0 errors, and has 1/],
  [
    "a failed row counts as a success",
    answers({ itemResults: failing(), itemErrorCount: 1 }),
    /is SUCCESS, and 1 of its rows/,
  ],
  ["a success counts as an error", answers({ overallStatus: "ERROR" }), /is ERROR, and 0 of its rows/],
];

function failing(): StatedResult["result"]["itemResults"] {
  return result.result.itemResults.map((one, index) => (index === 0 ? { ...one, status: "ERROR" as const } : one));
}

for (const [name, change, said] of cases)
  test(name, (t) => {
    const found = storeContradictionsOf({ ...right, ...change }).join("\n");
    if (said) t.regex(found, new RegExp(said, "m"));
    else t.is(found, "");
  });
