import test from "ava";
import { pino } from "pino";
import type { ReportBatch } from "../../../../records/outbox/report-inbox.ts";
import type { LabelReport } from "../../../../schemas/label-report.ts";
import { createTakeReports } from "../../../../workers/transmitter/reports/take-reports.ts";
import { at, report } from "../states.ts";

const of = (barcode: string): LabelReport => report("check-in", 1, { barcode });
const unavailable = new Error("MongoDB is unreachable");

/** Waiting batches; `note` applies reports, or throws. `steps` lists the commands to the database. */
function scene(
  batches: Record<string, LabelReport[]>,
  note: (reports: readonly LabelReport[]) => void | Promise<void>,
) {
  const waiting: ReportBatch[] = [];
  const store = (more: typeof batches) =>
    void waiting.push(...Object.entries(more).map(([_id, reports]) => ({ _id, reports })));
  store(batches);
  const removed: string[] = [];
  const steps: string[] = [];
  const putOff: [string, string[], Date][] = [];
  const take = createTakeReports({
    reportInbox: {
      async take(limit) {
        const taken = waiting.splice(0, limit);
        steps.push(`take ${taken.length}`);
        return taken;
      },
      async remove(ids) {
        if (ids.length > 0) steps.push(`remove ${ids.length}`);
        removed.push(...ids);
      },
      putOff: async (id, reports, due) => void putOff.push([id, reports.map(({ barcode }) => barcode), due]),
    },
    async noteReports(reports) {
      steps.push(`apply ${reports.length}`);
      await note(reports);
    },
    isUnavailable: (error) => error === unavailable,
    now: () => at(0),
    log: pino({ level: "silent" }),
  });
  return { take, removed, putOff, steps, store };
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

test("a label's reports in several batches are applied together, for at most 500 labels at a time", async (t) => {
  const calls: number[] = [];
  const labels = Array.from({ length: 700 }, (_, index) => of(`label ${index}`));
  const { take, removed } = scene({ 1: labels, 2: labels }, (reports) => void calls.push(reports.length));
  await take();
  t.deepEqual(calls, [1000, 400]);
  t.deepEqual(removed, ["1", "2"]);
});

test("two groups of labels are applied at the same time, and their batch is removed after both", async (t) => {
  const ends: (() => void)[] = [];
  const labels = Array.from({ length: 1_500 }, (_, index) => of(`label ${index}`));
  const { take, steps } = scene({ 1: labels }, () => new Promise((end) => ends.push(end)));
  const done = take();
  const turn = () => new Promise((next) => setImmediate(next));
  await turn();
  t.deepEqual(steps, ["take 1", "apply 500", "apply 500"]);
  ends[0]?.();
  await turn();
  t.deepEqual(steps.slice(3), ["apply 500"]);
  ends[1]?.();
  await turn();
  t.deepEqual(steps.slice(4), [], "one group is in progress");
  ends[2]?.();
  await done;
  t.deepEqual(steps.slice(4), ["remove 1"]);
});

test("a run takes many small batches, so that they share its commands, but only a few large ones", async (t) => {
  const many = (length: number, size: number) =>
    Object.fromEntries(
      Array.from({ length }, (_, batch) => [
        batch,
        Array.from({ length: size }, (_, index) => of(`${batch} ${index}`)),
      ]),
    );
  const takes = async (batches: Record<string, LabelReport[]>) => {
    const { take, steps } = scene(batches, () => {});
    await take();
    return steps.filter((step) => step.startsWith("take"));
  };
  t.deepEqual(await takes(many(150, 1)), ["take 16", "take 128", "take 6"]);
  t.deepEqual(await takes(many(80, 100)), ["take 16", "take 40", "take 24"]);
  t.deepEqual(await takes(many(40, 1_000)), ["take 16", "take 16", "take 8"]);
});

test("applied batches are removed while the next ones are read", async (t) => {
  const batches = Object.fromEntries(Array.from({ length: 18 }, (_, index) => [index, [of(`${index}`)]]));
  const { take, steps } = scene(batches, () => {});
  await take();
  t.deepEqual(steps, ["take 16", "apply 16", "take 2", "remove 16", "apply 2", "remove 2"]);
});

test("a prompt during a run triggers one more check, and no second run", async (t) => {
  const ends: (() => void)[] = [];
  const { take, steps, store } = scene({ 1: [of("a")] }, () => new Promise((end) => ends.push(end)));
  const done = take();
  const turn = () => new Promise((next) => setImmediate(next));
  await turn();
  t.deepEqual(steps, ["take 1", "apply 1"]);
  store({ 2: [of("b")] });
  const also = [take(), take()];
  await turn();
  t.deepEqual(steps.slice(2), []);
  ends[0]?.();
  await turn();
  t.deepEqual(steps.slice(2), ["remove 1", "take 1", "apply 1"]);
  ends[1]?.();
  await Promise.all([done, ...also]);
  t.deepEqual(steps.slice(5), ["remove 1"]);
  await take();
  t.deepEqual(steps.slice(6), ["take 0"], "a later prompt begins another run");
});

test("a run takes as many batches as prompts announced, and a run for leftover batches takes all", async (t) => {
  const batches = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [index, [of(`${index}`)]]));
  const { take, steps } = scene(batches, () => {});
  await take(1);
  await take(2);
  await take();
  t.deepEqual(
    steps.filter((step) => step.startsWith("take")),
    ["take 1", "take 2", "take 3"],
  );
});

test("a run without another prompt applies a limited number of batches", async (t) => {
  const batches = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [index, [of(`${index}`)]]));
  const { take, removed } = scene(batches, () => {});
  await take();
  t.is(removed.length, 16 + 7 * 128);
});

test("an empty batch is removed like any other", async (t) => {
  const { take, removed, putOff } = scene({ 1: [] }, () => {});
  await take();
  t.deepEqual([removed, putOff], [["1"], []]);
});
