import test from "ava";
import { explainLabel } from "../../../../api/labels/explain/explain-label.ts";
import type { ExplanationFacts, PositionFacts } from "../../../../api/labels/explain/explanation-facts.ts";
import { causeNames, LabelExplanation } from "../../../../schemas/explanation.ts";
import type { Link } from "../../../../schemas/link.ts";
import type { ItemPages } from "../../../../schemas/page-image.ts";
import type { Stored } from "../../../../schemas/record.ts";
import { compileCheck } from "../../../../schemas/validate.ts";
import { at, factsOfALabel, ITEM, KEY, revAt, stored } from "./facts-of-a-label.ts";

type Facts = ReturnType<typeof factsOfALabel>;
const check = compileCheck(LabelExplanation);
const explained = (facts: ExplanationFacts, now = at(9)) =>
  explainLabel(facts, now, (date) => date.toISOString().slice(11, 16));

const pagesAt = (minute: number, sources: ItemPages["sources"] = []) => ({
  ...{ _id: ITEM, rev: revAt(minute), itemId: "apple", images: [], removed: [], sources },
});
const position = (differs: Partial<PositionFacts>): Partial<Facts> => {
  const [present] = factsOfALabel().positions;
  return { positions: [{ ...present, ...differs }] };
};
/** A position whose item has new images of pages, and another one. */
const beside = (differs: Partial<PositionFacts>): Partial<Facts> => {
  const [present] = factsOfALabel().positions;
  const first = { ...present, pages: pagesAt(7) };
  return { positions: [first, { ...present, displayPosition: 1, ...differs }] as unknown as Facts["positions"] };
};
const state = (differs: object): Partial<Facts> => {
  const present = factsOfALabel().state;
  return present ? { state: { ...present, ...differs } } : {};
};
/** The item was written at ten past, and nobody has drawn it since. */
const itemMoved: Partial<Facts> = {
  revs: new Map([...factsOfALabel().revs, [`storeitemvalues.v1 ${ITEM}`, revAt(8)]]),
};
const queues = (name: string, differs: object): Partial<Facts> => {
  const present = factsOfALabel().queues;
  return { queues: { ...present, [name]: { waiting: 0, active: 0, processes: 1, ...differs } } as Facts["queues"] };
};
const another = { page: 0, image: "b".repeat(64) };
const wantsAnother = { wanted: [another] };
const sending = { ...another, number: revAt(6) };
const { image: present, label } = factsOfALabel();
const imageOf = (pages: object[]) => (present ? { image: { ...present, pages } as Facts["image"] } : {});

const failure = (queue: string) =>
  stored(`${KEY}/failures/${queue}/x`, 6, {
    queue,
    topic: "storeitemvalues.v1",
    reason: "the disk is full",
    since: at(6),
    attempts: 2,
    retryAt: at(12),
  }) as unknown as Facts["failures"][number];

/** The differences from a correct label, and the report about them. */
const table: Record<string, { differs: Partial<Facts>; cause: (typeof causeNames)[number]; summary: RegExp }> = {
  "a correct label": {
    differs: {},
    cause: "UP_TO_DATE",
    summary: /^The label shows "Apple", item "apple" at 1\.99, since 10:05, because this is the newest picture/,
  },
  "an item that is not drawn yet": {
    differs: { ...itemMoved, ...queues("renderer", { waiting: 7 }) },
    cause: "STAGE_WAITS",
    summary:
      /shows an earlier picture, since 10:05, because the renderer worker has not processed the change to the item "apple" yet: 7 jobs are waiting in its queue .* \(since 10:08\)\.$/,
  },
  "a job that Redis lost": {
    differs: itemMoved,
    cause: "STAGE_WAITS",
    summary: /no job carries it, so the next audit will enqueue it/,
  },
  "a walk after a change of rules": {
    differs: {
      ...itemMoved,
      walks: [{ queue: "renderer", reason: "the pack is at rev 9", checked: 20, total: 100 } as Facts["walks"][number]],
    },
    cause: "STAGE_WAITS",
    summary: /it is walking through all records \(the pack is at rev 9; 20 of 100 checked\)/,
  },
  "a worker without a process": {
    differs: { ...itemMoved, ...queues("renderer", { waiting: 1, processes: 0 }) },
    cause: "PROCESS_MISSING",
    summary: /no process of the renderer worker is running \(since 10:08\)/,
  },
  "unreachable Redis": {
    differs: { ...itemMoved, queues: undefined },
    cause: "REDIS_AWAY",
    summary: /Redis cannot be reached, so its jobs wait in MongoDB/,
  },
  "full Redis": {
    differs: { ...itemMoved, redisFullTo: 1.031 },
    cause: "REDIS_FULL",
    summary: /Redis is full \(it uses 103 % of its maxmemory\), so jobs wait in MongoDB/,
  },
  "a full Redis without a process of the worker": {
    differs: { ...itemMoved, redisFullTo: 0.9, ...queues("renderer", { waiting: 1, processes: 0 }) },
    cause: "PROCESS_MISSING",
    summary: /no process of the renderer worker is running/,
  },
  "a pending choice of the rules": {
    differs: { ...position({ isUndecided: true }), ...queues("evaluator", { processes: 0 }) },
    cause: "PROCESS_MISSING",
    summary: /the evaluator worker has not processed the latest change yet/,
  },
  "a link that is not projected yet": {
    differs: { revs: new Map([...factsOfALabel().revs, [`link.v2 ${KEY}`, revAt(7)]]) },
    cause: "STAGE_WAITS",
    summary: /the link worker has not processed the change to the link "A-0" yet/,
  },
  "a picture that is not composed yet": {
    differs: { revs: new Map([...factsOfALabel().revs, [`renderedimage.v1 ${KEY}`, revAt(7)]]) },
    cause: "STAGE_WAITS",
    summary: /the merger worker has not processed the change to the picture of the link "A-0" yet/,
  },
  "page images that are not composed yet": {
    differs: position({ pages: pagesAt(7) }),
    cause: "STAGE_WAITS",
    summary: /the merger worker/,
  },
  "page images of the single item on a label with two positions": {
    differs: beside({ link: undefined, rendered: undefined }),
    cause: "STAGE_WAITS",
    summary: /the merger worker/,
  },
  "page images of an item next to another": {
    differs: beside({ link: { ...(factsOfALabel().positions[0].link as Stored<Link>), itemId: "pear" } }),
    cause: "UP_TO_DATE",
    summary: /newest picture/,
  },
  "a picture that the transmitter has not read": {
    differs: imageOf([another]),
    cause: "STAGE_WAITS",
    summary: /the transmitter worker/,
  },
  "a record that fails": {
    differs: {
      ...itemMoved,
      failures: [failure("renderer")],
    },
    cause: "STAGE_FAILS",
    summary: /the renderer worker failed 2 times on its records: the disk is full \(since 10:06, next attempt 10:12\)/,
  },
  "a request that is not applied yet": {
    differs: {
      requests: {
        naming: [{ number: 17, operation: "patch-items", urgency: "bulk", ordered: false, drawnAt: at(7) }],
        isCut: false,
      },
    },
    cause: "REQUEST_WAITS",
    summary:
      /because request 17 \(patch-items\), .* has been accepted but not applied yet: no job carries it, so the next sweep will enqueue it \(since 10:07\)/,
  },
  "a failure of a worker that has handled the record since": {
    differs: { failures: [failure("renderer"), failure("notifier")] },
    cause: "UP_TO_DATE",
    summary: /newest picture/,
  },
  "a failure of the notifier next to a worker that is behind": {
    differs: { ...itemMoved, ...queues("renderer", { waiting: 7 }), failures: [failure("notifier")] },
    cause: "STAGE_WAITS",
    summary: /the renderer worker has not processed/,
  },
  "a picture that is wanted again while another one is unreported": {
    differs: state({
      shown: (factsOfALabel().state?.shown ?? []).map((shown) => ({ ...shown, uncertain: true })),
      ...{ sending: { ...sending, image: "a".repeat(64) }, tries: 1, sendDue: at(10) },
    }),
    cause: "ON_ITS_WAY",
    summary:
      /^The label may show a picture other than the newest, which it acknowledged at 10:05, because a picture that is wanted again was sent once and is not acknowledged yet \(since 10:06, next attempt 10:10\)\.$/,
  },
  "a picture due without a transmitter": {
    differs: {
      ...imageOf([another]),
      ...state({ ...wantsAnother, sending, tries: 1, sendDue: at(10) }),
      ...queues("transmitter", { processes: 0 }),
    },
    cause: "PROCESS_MISSING",
    summary:
      /was sent, but no report about it can be processed: no process of the transmitter worker is running \(since 10:06\)/,
  },
  "a picture under way": {
    differs: { ...imageOf([another]), ...state({ ...wantsAnother, sending, tries: 2, sendDue: at(10) }) },
    cause: "ON_ITS_WAY",
    summary: /a newer picture was sent 2 times and is not acknowledged yet \(since 10:06, next attempt 10:10\)/,
  },
  "a busy label server": {
    differs: {
      ...imageOf([another]),
      ...state({ ...wantsAnother, sending, tries: 0, putOff: "the label server answered 503" }),
    },
    cause: "ON_ITS_WAY",
    summary: /will be sent again: the label server answered 503/,
  },
  "an unreachable label server": {
    differs: { ...imageOf([another]), ...state({ ...wantsAnother, sendDue: at(8) }), labelServerAwaySince: at(7) },
    cause: "LABEL_SERVER_AWAY",
    summary:
      /shows an earlier picture, .* the label server does not respond, so the picture cannot be sent \(since 10:07/,
  },
  "a label server that rejects the secret": {
    differs: { ...imageOf([another]), ...state({ ...wantsAnother, sendDue: at(8) }), labelServerDeniedSince: at(7) },
    cause: "LABEL_SERVER_DENIES",
    summary: /the label server rejects Shelfwire's secret .*\(since 10:07/,
  },
  "an unreachable label server with nothing to do": {
    differs: { labelServerAwaySince: at(7) },
    cause: "UP_TO_DATE",
    summary: /newest picture/,
  },
  "a failed label": {
    differs: {
      ...imageOf([another]),
      ...state({ ...wantsAnother, sending, givenUp: "no report after 10 tries", sendDue: at(30) }),
    },
    cause: "GIVEN_UP",
    summary: /transmissions of the picture have failed: no report after 10 tries; .* next attempt 10:30/,
  },
  "a label that has been silent for long": {
    differs: { ...state({ lastSeen: at(-2_000), checksIn: true }) },
    cause: "LABEL_OFFLINE",
    summary: /the label has not been heard from since/,
  },
  "a silent label that never checks in": {
    differs: { ...state({ lastSeen: at(-2_000) }) },
    cause: "LABEL_QUIET",
    summary: /the label has not been heard from since, and it never checks in/,
  },
  "a picture that could not be drawn": {
    differs: {
      ...(present && {
        image: { ...present, fault: { reason: "NO_COMPATIBLE_DESIGN", detail: "no design fits label type 1328" } },
      }),
      ...state({ fault: "no design fits label type 1328" }),
    },
    cause: "PICTURE_FAULT",
    summary: /shows its background, since 10:05, because it could not be drawn: no design fits label type 1328/,
  },
  "an unknown item": {
    differs: position({ item: undefined }),
    cause: "ITEM_MISSING",
    summary: /shows its background, .* because the linked item "apple" does not exist/,
  },
  "a deactivated link": {
    differs: position({
      link: {
        ...(factsOfALabel().positions[0].link as NonNullable<PositionFacts["link"]>),
        status: "INACTIVE",
        switchedOff: true,
      },
    }),
    cause: "LINK_SWITCHED_OFF",
    summary: /its link to the item "apple" was set to INACTIVE/,
  },
  "a label without a link": {
    differs: {
      ...position({ link: undefined, item: undefined, designerLink: undefined, rendered: undefined }),
      image: undefined,
      state: undefined,
    },
    cause: "NOT_LINKED",
    summary: /^It is unknown what the label shows, because no item is linked to the label\.$/,
  },
};

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

test("every cause has its row", (t) => {
  t.deepEqual([...new Set(Object.values(table).map(({ cause }) => cause))].sort(), causeNames.toSorted());
});

test("of several causes the gravest is named first, followed by the others", (t) => {
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

test("for an earlier picture the known item and price that it shows are reported", (t) => {
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

test("a changed store setting that labels are drawn from is a change to be drawn", (t) => {
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
  const told = (differs: Partial<Facts>) =>
    explained({ ...factsOfALabel(), labelType, ...differs }).sentences.filter((one) => one.includes("page 1"));
  t.deepEqual(told(position({ pages: pagesAt(3, [source]) })), [
    "The uploaded image of page 1 could not be drawn in 296 x 128: the image is 10 x 10 pixels.",
  ]);
  t.deepEqual(told(position({ pages: pagesAt(3, [{ ...source, failed: [] }]) })), []);
});

test("an earlier picture that no transmitter has replaced yet is not reported as the newest", (t) => {
  const facts = factsOfALabel();
  const image = facts.image && { ...facts.image, pages: [{ page: 0, image: "b".repeat(64) }] };
  t.false(explained({ ...facts, image }).glass[0]?.isWanted);
});
