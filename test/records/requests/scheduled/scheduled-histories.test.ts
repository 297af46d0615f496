import test from "ava";
import fc from "fast-check";
import { cancelBelow, dueUpdates, enterUpdate, inOrder } from "../../../../records/requests/scheduled-updates.ts";
import type { Schedule } from "../../../../schemas/schedule.ts";
import { numberOf, stampOf } from "../../../../schemas/stamp.ts";
import { at, claim, done, entered, scheduleOf, update } from "./a-schedule.ts";

/**
 * An event of a schedule. Numbers are drawn in the order of the list; `repeats` means that a slow process adds a row
 * again.
 */
type Event =
  | { enter: number }
  | { runTo: number; killedAfter?: "claim" | "part" }
  | { deletes: true }
  | { repeats: number };

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ enter: fc.nat(9) }),
  fc.record(
    { runTo: fc.nat(9), killedAfter: fc.constantFrom("claim" as const, "part" as const) },
    { requiredKeys: ["runTo"] },
  ),
  fc.record({ deletes: fc.constant(true as const) }),
  fc.record({ repeats: fc.nat(20) }),
);

interface History {
  schedule: Schedule;
  /** The stamp under which each update took effect, by its row's stamp. */
  applied: Map<number, number>;
  /** How many updates took effect under a second stamp; must stay 0. */
  twice: number;
}

/** Runs a request to its end; if it is killed after a step, it runs again. */
function run(history: History, number: number, until: Date, killedAfter?: "claim" | "part"): void {
  history.schedule = claim(history.schedule, until, number);
  if (killedAfter === "claim") history.schedule = claim(history.schedule, until, number);
  const due = dueUpdates(history.schedule, until, number);
  const part = killedAfter === "part" ? due.slice(0, 1) : due;
  for (const { stamp, appliedAs = 0 } of part) {
    if ((history.applied.get(stamp) ?? appliedAs) !== appliedAs) history.twice += 1;
    history.applied.set(stamp, appliedAs);
  }
  history.schedule = done(history.schedule, number, ...part.map(({ stamp }) => stamp));
  if (killedAfter === "part") run(history, number, until);
}

test("each update takes effect once or is cancelled, with any order of rows, runs, kills, repetitions and deletions", (t) => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 25 }), (events) => {
      const history: History = { schedule: { itemId: "milk", updates: [] }, applied: new Map(), twice: 0 };
      const asked: ReturnType<typeof update>[] = [];
      const deletions: number[] = [];
      for (const [index, happening] of events.entries()) {
        const number = index + 1;
        if ("enter" in happening) {
          const next = update(number, happening.enter);
          asked.push(next);
          history.schedule = entered(history.schedule, next);
        } else if ("repeats" in happening) {
          const again = asked[happening.repeats % Math.max(1, asked.length)];
          const next = again && enterUpdate(history.schedule, "milk", again);
          if (next && !("code" in next)) history.schedule = next;
        } else if ("deletes" in happening) {
          deletions.push(number);
          history.schedule = cancelBelow(history.schedule, stampOf(number, 0));
        } else run(history, number, at(happening.runTo), happening.killedAfter);
      }
      const last = events.length + 1;
      run(history, last, at(10));
      t.is(history.twice, 0);
      t.deepEqual(history.schedule.updates, []);
      for (const { stamp } of asked) {
        const appliedAs = history.applied.get(stamp);
        const cancelledBy = deletions.find((number) => number > numberOf(stamp));
        if (appliedAs === undefined) t.true(cancelledBy !== undefined, "only a deletion cancels");
        else
          t.true(
            cancelledBy === undefined || numberOf(appliedAs) < cancelledBy,
            "a cancelled update never took effect",
          );
      }
    }),
    { numRuns: 500 },
  );
});

test("the updates of one run take effect in order", (t) => {
  const entries = fc.array(fc.tuple(fc.nat(50), fc.nat(9)), { maxLength: 20 });
  fc.assert(
    fc.property(entries, (pairs) => {
      const unique = [...new Map(pairs.map((pair) => [pair[0], pair])).values()];
      const claimed = claim(scheduleOf(...unique), at(10), 100);
      const byEffect = claimed.updates.toSorted((a, b) => (a.appliedAs ?? 0) - (b.appliedAs ?? 0));
      t.deepEqual(byEffect, claimed.updates.toSorted(inOrder));
    }),
  );
});
