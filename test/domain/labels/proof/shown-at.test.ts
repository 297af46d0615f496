import test from "ava";
import { shownAt } from "../../../../domain/labels/proof/shown-at.ts";
import type { GlassEntry } from "../../../../schemas/glass.ts";
import type { LabelState } from "../../../../schemas/label-state.ts";

const START = Date.UTC(2026, 2, 3, 10);
const at = (minute: number): Date => new Date(START + minute * 60_000);
const LONG_AGO = new Date(0);

/** A picture that was sent at the given minute, reached the label one second later, and was reported one second after that. */
const entry = (image: string, minute: number, differs: Partial<GlassEntry> = {}): GlassEntry => ({
  ...{ label: "t/demo/s/main/labels/A", store: "t/demo/s/main", page: 0, image, items: [] },
  transmission: at(minute).getTime(),
  at: new Date(at(minute).getTime() + 1_000),
  receivedAt: new Date(at(minute).getTime() + 2_000),
  ...differs,
});
const follows = (minute: number) => ({ follows: at(minute).getTime() });
/** The label's state after it acknowledged the picture that was sent at the given minute. */
const state = (image: string, minute: number, differs: object = {}, more: Partial<LabelState> = {}) => ({
  shown: [
    {
      ...{ page: 0, image, through: at(minute).getTime(), number: at(minute).getTime() },
      deliveredAt: new Date(at(minute).getTime() + 1_000),
      ...differs,
    },
  ],
  sent: [],
  ...more,
});
const sent = (image: string, minute: number) => ({ page: 0, image, number: at(minute).getTime() });

const day = [entry("a", 0), entry("b", 10, follows(0)), entry("c", 20, follows(10))];

const cases: readonly [string, Parameters<typeof shownAt>[0], number, object][] = [
  [
    "between two acknowledgements the picture is certain",
    { page: 0, entries: day, state: state("c", 20) },
    15,
    { certainty: "CERTAIN", shown: { image: "b" }, gaps: [], others: [] },
  ],
  [
    "after the last acknowledgement the picture is certain, as long as nothing else was sent",
    { page: 0, entries: day, state: state("c", 20) },
    60,
    { certainty: "CERTAIN", shown: { image: "c" }, until: undefined },
  ],
  [
    "before the first acknowledgement nothing is known",
    { page: 0, entries: day, state: state("c", 20) },
    -5,
    { certainty: "UNKNOWN", shown: undefined, gaps: [{ reason: "NEVER_REPORTED" }], others: undefined },
  ],
  [
    "while a picture is on its way only the label server's clock decides",
    { page: 0, entries: day, state: state("c", 20) },
    10,
    { certainty: "LABEL_SERVER_CLOCK", shown: { image: "a" }, others: [{ image: "b" }] },
  ],
  [
    "from the start of a transmission without a report to the next acknowledgement, the picture is unknown",
    {
      page: 0,
      entries: [
        entry("a", 0),
        entry("c", 20, { ...follows(0), unreported: [{ image: "b", transmission: at(10).getTime(), items: [] }] }),
      ],
      state: state("c", 20),
    },
    15,
    {
      certainty: "UNKNOWN",
      shown: { image: "a" },
      gaps: [{ from: at(10), reason: "NO_REPORT" }],
      others: [{ image: "b" }],
    },
  ],
  [
    "before a transmission without a report the picture is still certain",
    {
      page: 0,
      entries: [
        entry("a", 0),
        entry("c", 20, { ...follows(0), unreported: [{ image: "b", transmission: at(10).getTime(), items: [] }] }),
      ],
      state: state("c", 20),
    },
    9,
    { certainty: "CERTAIN", shown: { image: "a" }, gaps: [{ reason: "NO_REPORT" }] },
  ],
  [
    "a report that arrived later closes the gap",
    {
      page: 0,
      entries: [
        entry("a", 0),
        entry("b", 10, follows(0)),
        entry("c", 20, { ...follows(0), unreported: [{ image: "b", transmission: at(10).getTime(), items: [] }] }),
      ],
      state: state("c", 20),
    },
    15,
    { certainty: "CERTAIN", shown: { image: "b" }, gaps: [] },
  ],
  [
    "if more transmissions followed than are stored, any picture may have been shown",
    {
      page: 0,
      entries: [entry("a", 0), entry("c", 20, { ...follows(0), unreportedSince: at(5) })],
      state: state("c", 20),
    },
    6,
    { certainty: "UNKNOWN", gaps: [{ from: at(5) }], others: undefined },
  ],
  [
    "if the tag was replaced, the picture is unknown from the former tag's last acknowledgement on",
    { page: 0, entries: [entry("a", 0), entry("b", 10)], state: state("b", 10) },
    5,
    { certainty: "UNKNOWN", gaps: [{ reason: "LOST" }], others: undefined },
  ],
  [
    "a transmission that is still unacknowledged may have arrived",
    {
      page: 0,
      entries: [entry("a", 0)],
      state: state("a", 0, { uncertain: true, uncertainSince: at(10) }, { sent: [sent("a", 0), sent("b", 10)] }),
    },
    30,
    {
      certainty: "UNKNOWN",
      shown: { image: "a" },
      gaps: [{ from: at(10), until: undefined }],
      others: [{ image: "b" }],
    },
  ],
  [
    "a picture that is kept for a switch may be shown from the time of the switch on",
    {
      page: 0,
      entries: [entry("a", 0)],
      state: state(
        "a",
        0,
        {},
        {
          later: {
            ...{ switch: "s", showAt: at(10), basis: "", pages: [] },
            armed: [{ page: 0, image: "b", number: at(5).getTime(), kept: true }],
          },
        },
      ),
    },
    11,
    { certainty: "UNKNOWN", gaps: [{ from: at(10), reason: "SWITCH" }], others: [{ image: "b" }] },
  ],
  [
    "entries of earlier releases do not record transmissions without a report",
    {
      page: 0,
      entries: ["a", "b"].map((image, index) => {
        const { receivedAt: _, ...old } = entry(image, index * 10);
        return old;
      }),
      state: state("b", 10),
    },
    5,
    { certainty: "UNKNOWN", shown: { image: "a" }, gaps: [{ reason: "NOT_RECORDED" }] },
  ],
];

for (const [name, record, minute, expected] of cases)
  test(name, (t) => void t.like(shownAt(record, at(minute), LONG_AGO), expected));

test("a picture whose log entries were deleted is known from the entry after them, or from the label's state", (t) => {
  const before = { image: "a", transmission: at(0).getTime(), items: [], at: at(1), receivedAt: at(2) };
  const record = { page: 0, entries: [entry("b", 10_000, { ...follows(0), before })], state: state("b", 10_000) };
  t.like(shownAt(record, at(9_000), at(8_000)), { certainty: "CERTAIN", shown: { image: "a" } });
  const present = { page: 0, entries: [], state: state("a", 0, { receivedAt: at(2) }) };
  t.like(shownAt(present, at(9_000), at(8_000)), { certainty: "CERTAIN", shown: { image: "a" } });
  const former = { page: 0, entries: [entry("b", 10_000)], state: state("b", 10_000) };
  t.like(shownAt(former, at(9_000), at(9_500)), { certainty: "UNKNOWN", gaps: [{ reason: "EXPIRED" }] });
});

test("a picture that is acknowledged again counts from its first acknowledgement until another picture is acknowledged", (t) => {
  const entries = [entry("a", 0), entry("b", 10, follows(0)), entry("b", 20, follows(10)), entry("c", 30, follows(20))];
  const found = shownAt({ page: 0, entries, state: state("c", 30) }, at(25), LONG_AGO);
  t.like(found, {
    certainty: "CERTAIN",
    first: { transmission: at(10).getTime() },
    shown: { transmission: at(20).getTime() },
  });
  t.deepEqual(found.until, entries[3]?.at);
});

test("a label server's clock is trusted no further than Shelfwire's clocks allow", (t) => {
  const ahead = (one: GlassEntry): GlassEntry => ({ ...one, at: new Date(one.at.getTime() + 3_600_000) });
  const found = shownAt({ page: 0, entries: day.map(ahead), state: state("c", 20) }, at(15), LONG_AGO);
  t.like(found, { certainty: "CERTAIN", shown: { image: "b", since: day[1]?.receivedAt } });
});
