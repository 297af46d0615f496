import test from "ava";
import { pino } from "pino";
import type { LabelReport } from "../../../schemas/label-report.ts";
import { createTakeReports } from "../../../workers/transmitter/reports/take-reports.ts";
import { at, report } from "./states.ts";

const of = (barcode: string): LabelReport => report("check-in", 1, { barcode });
const unavailable = new Error("MongoDB is unreachable");

/** Batches that wait; `note` applies reports, or throws. */
function scene(batches: Record<string, LabelReport[]>, note: (reports: readonly LabelReport[]) => void) {
  const waiting = Object.entries(batches).map(([_id, reports]) => ({ _id, reports }));
  const removed: string[] = [];
  const putOff: [string, string[], Date][] = [];
  const take = createTakeReports({
    reportInbox: {
      take: async (limit) => waiting.splice(0, limit),
      remove: async (ids) => void removed.push(...ids),
      putOff: async (id, reports, due) => void putOff.push([id, reports.map(({ barcode }) => barcode), due]),
    },
    noteReports: async (reports) => note(reports),
    isUnavailable: (error) => error === unavailable,
    now: () => at(0),
    log: pino({ level: "silent" }),
  });
  return { take, removed, putOff };
}

test("reports that cannot be applied are retried in an hour, and delay no other label", async (t) => {
  const applied: string[] = [];
  const { take, removed, putOff } = scene({ 1: [of("a"), of("bad"), of("b")], 2: [of("c")] }, (reports) => {
    if (reports.some(({ barcode }) => barcode === "bad")) throw new Error("it has no state");
    applied.push(...reports.map(({ barcode }) => barcode));
  });
  await take();
  t.deepEqual(applied.sort(), ["a", "b", "c"]);
  t.deepEqual(removed, ["2"]);
  t.deepEqual(putOff, [["1", ["bad"], at(3600)]]);
});

test("during a MongoDB outage no report is removed", async (t) => {
  const { take, removed, putOff } = scene({ 1: [of("a")] }, () => {
    throw unavailable;
  });
  await t.throwsAsync(take(), { is: unavailable });
  t.deepEqual([removed, putOff], [[], []]);
});

test("reports of one label in several batches are applied together, for at most 500 labels at once", async (t) => {
  const calls: number[] = [];
  const labels = Array.from({ length: 700 }, (_, index) => of(`label ${index}`));
  const { take, removed } = scene({ 1: labels, 2: labels }, (reports) => void calls.push(reports.length));
  await take();
  t.deepEqual(calls, [1000, 400]);
  t.deepEqual(removed, ["1", "2"]);
});

test("a job applies a limited number of batches, so that a busy worker finishes jobs", async (t) => {
  const batches = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [index, [of(`${index}`)]]));
  const { take, removed } = scene(batches, () => {});
  await take();
  t.is(removed.length, 8 * 16);
});

test("an empty batch is removed like any other", async (t) => {
  const { take, removed, putOff } = scene({ 1: [] }, () => {});
  await take();
  t.deepEqual([removed, putOff], [["1"], []]);
});
