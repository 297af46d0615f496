import test from "ava";
import { type Clock, sendAtTimes } from "../../../../scripts/develop/load/send-at-times.ts";

/** Returns a clock that moves forward only by waiting. */
function stillClock(now: number): Clock & { set(now: number): void } {
  let present = now;
  return {
    now: () => present,
    async wait(milliseconds) {
      present += milliseconds;
    },
    set(later) {
      present = later;
    },
  };
}

test("a call without a response does not delay other calls, and each gets its planned time", async (t) => {
  const clock = stillClock(1_000);
  const answers = Promise.withResolvers<void>();
  const sent: { plannedAt: number; at: number }[] = [];
  const all = sendAtTimes([{ at: 0 }, { at: 10 }, { at: 10 }, { at: 50 }], {
    start: 1_000,
    clock,
    async send({ at }, plannedAt) {
      sent.push({ plannedAt, at: clock.now() });
      if (sent.length === 4) answers.resolve();
      await answers.promise;
      return at;
    },
  });
  t.deepEqual(await all, [0, 10, 10, 50]);
  t.deepEqual(
    sent,
    [1_000, 1_010, 1_010, 1_050].map((time) => ({ plannedAt: time, at: time })),
  );
});

test("calls that this program sends late keep their planned times, and none is omitted", async (t) => {
  const clock = stillClock(0);
  const late = await sendAtTimes([{ at: 0 }, { at: 10 }, { at: 20 }, { at: 90 }], {
    start: 0,
    clock,
    async send({ at }, plannedAt) {
      const lateMs = clock.now() - plannedAt;
      // The first call blocks the program.
      if (at === 0) clock.set(70);
      return lateMs;
    },
  });
  t.deepEqual(late, [0, 60, 50, 0]);
});
