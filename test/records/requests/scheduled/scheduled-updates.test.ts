import test from "ava";
import {
  cancelBelow,
  cancelRequest,
  dueUpdates,
  enterUpdate,
  finishUpdates,
  forgetFailed,
  rankUpdates,
} from "../../../../records/requests/scheduled-updates.ts";
import { rowErrors, rowNotice } from "../../../../schemas/row-notice.ts";
import type { Schedule } from "../../../../schemas/schedule.ts";
import { numberOf, stampOf } from "../../../../schemas/stamp.ts";
import { at, claim, done, entered, scheduleOf, update } from "./a-schedule.ts";

const taken = rowErrors(rowNotice("SIC_TAKEN", { code: "4001", item: "tea" }));
const numbersOf = ({ updates }: Pick<Schedule, "updates">) => updates.map(({ stamp }) => numberOf(stamp));

test("updates are sorted by time, and updates for the same time by stamp", (t) => {
  const schedule = scheduleOf([3, 50], [2, 70], [1, 50]);
  t.deepEqual(numbersOf(schedule), [1, 3, 2]);
  t.deepEqual(schedule.due, at(50));
});

test("an update that is added twice is stored once", (t) => {
  const once = scheduleOf([1, 50]);
  t.is(entered(once, update(1, 50)), once);
});

test("an applied or cancelled update is not added again", (t) => {
  const applied = done(claim(scheduleOf([1, 50]), at(50), 7), 7, stampOf(1, 0));
  const cancelled = cancelBelow(scheduleOf([1, 50]), stampOf(7, 0));
  for (const schedule of [applied, cancelled]) {
    t.deepEqual(schedule, { itemId: "milk", updates: [], floor: stampOf(7, 0) });
    t.deepEqual(enterUpdate(schedule, "milk", update(1, 50)), rowNotice("UPDATE_OVERTAKEN", {}));
    t.deepEqual(numbersOf(entered(schedule, update(8, 50))), [8], "a later request is added");
  }
});

test("a held campaign ends even if later updates were applied before it was scheduled", (t) => {
  const applied = done(claim(scheduleOf([8, 50]), at(50), 9), 9, stampOf(8, 0));
  t.deepEqual(applied, { itemId: "milk", updates: [], floor: stampOf(9, 0) });
  const [begin] = entered(undefined, update(1, 60)).updates;
  if (begin === undefined) return t.fail();
  const end = { ...begin, campaign: "a", ends: true as const };
  const after = entered(applied, end);
  t.deepEqual([numbersOf(after), after.due], [[1], at(60)]);
  t.is(entered(after, end), after, "once");
});

test("a deletion cancels only updates scheduled before it", (t) => {
  const left = cancelBelow(scheduleOf([1, 50], [5, 60], [9, 40]), stampOf(5, 2));
  t.deepEqual(numbersOf(left), [9]);
  t.deepEqual(left.due, at(40));
});

test("the updates of one request are cancelled separately and not added again", (t) => {
  const left = cancelRequest(scheduleOf([1, 50], [5, 60], [6, 40]), 5, stampOf(9, 0)) ?? t.fail();
  t.deepEqual(numbersOf(left), [6, 1]);
  const repeated = enterUpdate(left, "milk", update(5, 60));
  t.like(repeated, { code: "UPDATE_OVERTAKEN" }, "a repeated chunk does not restore the cancelled update");
  t.is(cancelRequest(left, 5, stampOf(10, 0)), undefined, "there is nothing left to cancel");
  const last = cancelRequest(scheduleOf([1, 50]), 1, stampOf(9, 0)) ?? t.fail();
  t.is(last.due, undefined, "nothing is due any longer");
});

test("a request applies due updates of smaller numbers", (t) => {
  const schedule = scheduleOf([1, 50], [2, 51], [3, 49], [9, 40]);
  t.deepEqual(numbersOf({ updates: dueUpdates(schedule, at(50), 7) }), [3, 1]);
});

test("an update claimed by a larger number is not applied by a smaller one", (t) => {
  const schedule = claim(scheduleOf([1, 50]), at(50), 8);
  t.deepEqual(dueUpdates(schedule, at(50), 7), []);
  t.is(claim(schedule, at(50), 7), schedule);
});

test("each claim has its own stamp, in the order in which the updates take effect, and keeps it", (t) => {
  const claimed = claim(scheduleOf([2, 50], [1, 50], [3, 40], [4, 90]), at(50), 7);
  const stamps = (schedule: Schedule) => schedule.updates.map(({ stamp, appliedAs }) => [numberOf(stamp), appliedAs]);
  t.deepEqual(stamps(claimed), [
    [3, stampOf(7, 0)],
    [1, stampOf(7, 1)],
    [2, stampOf(7, 2)],
    [4, undefined],
  ]);
  const partly = done(claimed, 7, stampOf(3, 0));
  t.deepEqual(stamps(claim(partly, at(50), 7)), stamps(partly), "after a kill the remaining updates keep their stamps");
});

test("an update that is added after a kill gets its own stamp, after the stored stamps", (t) => {
  const late = entered(claim(scheduleOf([3, 50]), at(50), 7), update(2, 40));
  t.deepEqual(
    claim(late, at(50), 7).updates.map(({ stamp, appliedAs }) => [numberOf(stamp), appliedAs]),
    [
      [2, stampOf(7, 1)],
      [3, stampOf(7, 0)],
    ],
  );
});

test("updates of several items are ranked together, and a retry continues after the stored ranks", (t) => {
  const indexes = (...appliedAs: (number | undefined)[]) =>
    rankUpdates(
      appliedAs.map((stamp) => (stamp === undefined ? {} : { appliedAs: stamp })),
      7,
      4,
    ).map(({ index }) => index);
  t.deepEqual(indexes(undefined, undefined, stampOf(6, 9)), [0, 1, 2], "a stamp of another request is not kept");
  t.deepEqual(indexes(undefined, stampOf(7, 1), undefined), [0, 1, 2], "killed while the stamps were being stored");
  t.deepEqual(indexes(stampOf(7, 2), stampOf(7, 3), undefined), [2, 3], "killed after two updates were applied");
  t.deepEqual(
    indexes(...Array.from({ length: 6 }, () => undefined)),
    [0, 1, 2, 3],
    "the next request applies the rest",
  );
});

test("an applied update is removed, and a failed update is kept with its errors and is no longer due", (t) => {
  const claimed = claim(scheduleOf([1, 50], [2, 50], [3, 90]), at(50), 7);
  const over = new Map([
    [stampOf(1, 0), { errors: [] }],
    [stampOf(2, 0), taken],
  ]);
  const finished = finishUpdates(claimed, 7, over, at(51));
  t.deepEqual(
    finished.updates.map(({ stamp, failed }) => [numberOf(stamp), failed]),
    [
      [2, { at: at(51), ...taken }],
      [3, undefined],
    ],
  );
  t.deepEqual(finished.due, at(90));
  t.deepEqual(dueUpdates(finished, at(60), 8), []);
});

test("a refusal names the limit in MiB", (t) => {
  const large = { due: at(50), stamp: stampOf(1, 0), patch: "x".repeat(8 * 2 ** 20 + 1) };
  t.deepEqual(enterUpdate(undefined, "milk", large), rowNotice("SCHEDULE_TOO_LARGE", { most: 8 }));
});

test("a failed update keeps its first hundred errors", (t) => {
  const claimed = claim(scheduleOf([1, 50]), at(50), 7);
  const { errors, notices = [] } = rowErrors(
    ...Array.from({ length: 101 }, (_, index) => rowNotice("SIC_UNKNOWN", { code: index })),
  );
  const finished = finishUpdates(claimed, 7, new Map([[stampOf(1, 0), { errors, notices }]]), at(51));
  t.deepEqual(finished.updates[0]?.failed?.errors, errors.slice(0, 100));
  t.deepEqual(finished.updates[0]?.failed?.notices, notices.slice(0, 100));
});

test("a failed update's errors have a total limit, however long they are", (t) => {
  const claimed = claim(scheduleOf([1, 50]), at(50), 7);
  const failed = rowErrors(
    ...["a", "b", "c"].map((detail) => rowNotice("ROW_FAILED", { detail: detail.repeat(9_000) })),
  );
  const finished = finishUpdates(claimed, 7, new Map([[stampOf(1, 0), failed]]), at(51));
  t.deepEqual(finished.updates[0]?.failed?.errors, ["a".repeat(9_000), "b".repeat(1_000)]);
  t.deepEqual(finished.updates[0]?.failed?.notices, failed.notices?.slice(0, 1), "the truncated error has no notice");
});

test("a failure keeps its first time and is deleted when it is old", (t) => {
  const claimed = claim(scheduleOf([1, 50]), at(50), 7);
  const over = new Map([[stampOf(1, 0), taken]]);
  const once = finishUpdates(claimed, 7, over, at(51));
  t.deepEqual(finishUpdates(once, 7, over, at(99)), once);
  t.is(forgetFailed(once, at(51)), once);
  t.deepEqual(forgetFailed(once, at(52)).updates, []);
  const pending = { due: at(90), stamp: 9, patch: "{}" };
  t.deepEqual(forgetFailed({ ...once, updates: [...once.updates, pending] }, at(52)).updates, [pending]);
});

test("an item has at most 100 scheduled updates with at most 8 MiB in total", (t) => {
  const full = scheduleOf(...Array.from({ length: 100 }, (_, index): [number, number] => [index, 50]));
  t.deepEqual(enterUpdate(full, "milk", update(100, 50)), rowNotice("SCHEDULE_FULL", { most: 100 }));
  t.is(enterUpdate(full, "milk", update(99, 50)), full, "an update that is already stored is not counted again");
  const large = entered(undefined, update(1, 50, 0, "é".repeat(2 ** 21)));
  t.like(enterUpdate(large, "milk", update(2, 50, 0, "é".repeat(2 ** 21 + 1))), { code: "SCHEDULE_TOO_LARGE" });
});

test("a full schedule still accepts the end of a campaign", (t) => {
  const full = scheduleOf(...Array.from({ length: 100 }, (_, index): [number, number] => [index, 50]));
  const end = { ...update(100, 60), campaign: "spring", ends: true as const };
  t.is(entered(full, end).updates.at(-1)?.stamp, end.stamp);
});
