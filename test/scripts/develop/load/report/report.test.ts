import test from "ava";
import type { Observed } from "../../../../../scripts/develop/load/observe.ts";
import type { PlannedCall } from "../../../../../scripts/develop/load/plan/plan-calls.ts";
import type { Landing } from "../../../../../scripts/develop/load/read-glass.ts";
import { loadPage } from "../../../../../scripts/develop/load/report/page.ts";
import { latenciesOf, reportOf } from "../../../../../scripts/develop/load/report/report.ts";
import { reportLines } from "../../../../../scripts/develop/load/report/report-lines.ts";

const call = (kind: PlannedCall["kind"], at: number): PlannedCall => ({
  ...{ kind, at, store: 0, labels: [0], isFollowed: kind !== "flash" },
});
const observed = (kind: PlannedCall["kind"], at: number, more: Partial<Observed>): Observed => ({
  ...{ call: call(kind, at), plannedAt: 1_000 + at, lateMs: 1, status: 202, answeredMs: 10, reads: [], ...more },
});

const seen: readonly Observed[] = [
  observed("urgent", 0, { requestId: 1, completedMs: 250, reads: [{ at: 200, status: 200, ms: 4 }] }),
  observed("urgent", 10, { requestId: 2, reads: [{ at: 210, status: 503, problem: "busy", ms: 1 }] }),
  observed("urgent", 20, { status: 429, problem: "too-many-requests", answeredMs: 2 }),
  observed("list", 30, { status: 429, problem: "too-many-requests", answeredMs: 2 }),
  observed("list", 40, { status: 0, problem: "ECONNREFUSED", answeredMs: 3 }),
  observed("flash", 50, { status: 200, answeredMs: 6 }),
];
const ofRequests: readonly Landing[] = seen
  .filter(({ requestId }) => requestId !== undefined)
  .map((one, index) => ({ observed: one, label: 0, ms: index === 0 ? 400 : undefined }));
const [first = { observed: observed("urgent", 0, {}), label: 0 }] = ofRequests;
const landings = [...ofRequests, { ...first, ms: "forgotten" as const }, { ...first, ms: "unread" as const }];
const day = {
  seed: 7,
  stores: 1,
  labels: 2,
  durationMs: 60,
  urgentPerMs: 1,
  listsPerMs: 1,
  flashesPerMs: 1,
  followedShare: 1,
};
const run = { origin: "http://<here>", startedAt: "2026-11-25T08:00:00.000Z", day, isGlassTimed: true };
const report = reportOf({ ...run, resources: undefined }, seen, landings);

test("latencies are measured for answered calls, and refusals are counted by kind, status and problem", (t) => {
  const { urgent, list, flash, result } = report.kinds;
  t.deepEqual([urgent.planned, urgent.refused, urgent.answered?.count, urgent.answered?.max], [3, 1, 2, 10]);
  t.deepEqual([urgent.completed?.max, urgent.incomplete, urgent.glass?.max, urgent.missingOnGlass], [250, 1, 400, 1]);
  t.deepEqual([urgent.glass?.count, urgent.unknownOnGlass], [1, 2]);
  t.deepEqual([list.planned, list.refused, list.answered], [2, 2, undefined]);
  t.deepEqual([flash.answered?.max, flash.glass, flash.incomplete], [6, undefined, 0]);
  t.deepEqual([result.planned, result.refused, result.answered?.max], [2, 1, 4]);
  t.deepEqual(
    report.refusals.map(({ kind, status, problem, count }) => `${kind} ${status} ${problem} ${count}`).sort(),
    ["list 0 ECONNREFUSED 1", "list 429 too-many-requests 1", "result 503 busy 1", "urgent 429 too-many-requests 1"],
  );
});

test("the lines say what was refused and what is missing", (t) => {
  const text = reportLines(report).join("\n");
  for (const part of [
    "seed 7",
    "too-many-requests",
    "no response",
    "1 results were not complete",
    "1 pictures did not reach",
    "unknown when 2 pictures",
  ])
    t.true(text.includes(part), part);
});

test("the page is a single file with two plots for each latency, and escapes its values", (t) => {
  const page = loadPage(report, latenciesOf(seen, landings));
  t.is(page.match(/<svg /g)?.length, 2 * 5);
  t.true(page.includes("http://&lt;here&gt;") && !page.includes("<here>"));
  t.notRegex(page, /NaN|Infinity|undefined|src=|href=/);
});
