import { setTimeout } from "node:timers/promises";
import test from "ava";
import type { Commit } from "../../../queues/changes/commit.ts";
import type { Walk } from "../../../records/kinds/work.ts";
import type { Stored } from "../../../schemas/record.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { isFree, never, only, walkersOf } from "./a-walker.ts";

/** Which process continues a walk. */
const own = ownSystem();
const { clear, open, read } = walkersOf(own);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

test.beforeEach(clear);

/** A commit that can stall: meanwhile its process writes nothing, not even renewals of a lease. */
function stallingCommit() {
  let stall = Promise.resolve();
  const { change } = own.system.commit;
  const commit: Commit = {
    ...own.system.commit,
    async change(...given) {
      await stall;
      return change(...given);
    },
  };
  const stallDuring = (work: () => Promise<void>): Promise<void> => {
    stall = work();
    return stall;
  };
  return { commit, stallDuring };
}

/** Repeats the first turn: a renewal that was being written when the stall began may come first. */
const takeOver = (other: ReturnType<typeof open>, shouldStop: () => boolean) =>
  eventually("the other process has continued the walk", async () => (await other.walk(await read(), shouldStop)) > 0);

test.serial("during a batch the walk's lease lasts six seconds by its process's clock", async (t) => {
  const held: Stored<Walk>[] = [];
  const began = Date.now();
  const walker = open();
  await walker.walk(await walker.begin(), async () => {
    held.push(await read());
    return false;
  });
  t.is(held.length, 3);
  for (const walk of held) {
    t.is(walk.holder, "this process");
    const heldAt = walk.heldUntil.getTime() - 6_000;
    t.true(heldAt >= began && heldAt <= Date.now(), `${heldAt - began} ms`);
  }
});

test.serial("a long batch renews its walk's lease, and a stopped walk does not", async (t) => {
  const walker = open();
  const begun = await walker.begin();
  await walker.walk(begun, async () => {
    const { heldUntil } = await read();
    await eventually("the lease is renewed", async () => (await read()).heldUntil > heldUntil);
    return true;
  });
  // Waits as long as renewing a lease takes.
  await setTimeout(1_700);
  const stopped = await read();
  t.true(isFree(stopped));
  t.like(stopped, { checked: 2, cursor: "t/one/b" });
});

test.serial("a walk is left to the process that holds it until the lease expires", async (t) => {
  const one = open({ holder: "one" });
  const begun = await one.begin();
  const held = await one.advance(begun, { cursor: "t/one/b" });
  t.like(held, { holder: "one", cursor: "t/one/b", epoch: 1 });
  // By this clock the lease has an hour left, and by the next process's clock it has expired, however long this test
  // takes.
  const two = open({ holder: "two", at: -HOUR_MS });
  t.false(two.isFree(await read()));
  t.is(await two.advance(await read(), { cursor: "t/one/e" }), undefined);
  t.is(await two.walk(await read(), never), 0);
  t.deepEqual(two.looked, []);
  t.true(one.isFree(await read()), "its holder may continue");
  const ahead = open({ holder: "two", at: HOUR_MS });
  t.true(ahead.isFree(await read()));
  t.is(await ahead.walk(await read(), never), 3);
});

test.serial("a lease that is not renewed for six seconds expires, whatever its holder's clock says", async (t) => {
  const ahead = open({ holder: "ahead", at: DAY_MS });
  await ahead.advance(await ahead.begin(), {});
  const walker = open();
  const walk = await read();
  t.false(walker.isFree(walk));
  walker.clock.ms = 5_999;
  t.false(walker.isFree(walk));
  walker.clock.ms = 6_000;
  t.true(walker.isFree(walk));
  await ahead.advance(walk, {});
  t.false(walker.isFree(await read()), "it was renewed");
});

test.serial("a walk that a newer walk replaces during a batch ends after that batch", async (t) => {
  const walker = open();
  let batches = 0;
  await walker.walk(await walker.begin(), async () => {
    batches += 1;
    await walker.begin({ reason: "a newer change" });
    return false;
  });
  t.is(batches, 1);
  t.like(await read(), { reason: "a newer change", checked: 0 });
});

test.serial("a step of a replaced or ended walk is not stored", async (t) => {
  const walker = open();
  const old = await walker.begin();
  await walker.begin({ reason: "a newer change" });
  t.is(await walker.advance(old, { checked: 99 }), undefined);
  t.is(await walker.walk(old, never), 0);
  await walker.walk(await read(), never);
  t.is(await walker.advance(await read(), { checked: 99 }), undefined);
  t.like(await read(), { checked: 5, reason: "a newer change" });
});

test.serial(
  "a stalled holder writes nothing after another process has continued the walk, even if that process has released it",
  async (t) => {
    const stages = { first: () => [], second: () => [] };
    const { commit, stallDuring } = stallingCommit();
    const stalled = open({ holder: "stalled", stages, commit });
    let batches = 0;
    const continueElsewhere = async () => {
      const other = open({ holder: "other", stages, at: 6_500 });
      await takeOver(other, () => other.looked.length === 3);
      t.deepEqual(other.looked, ["first a b", "first c d", "first e"]);
      await other.walk(await read(), () => true);
      t.like(await read(), { stage: 1, cursor: "t/one/b" });
    };
    await stalled.walk(await stalled.begin(), async () => {
      batches += 1;
      if (batches === 1) await stallDuring(continueElsewhere);
      return false;
    });
    t.is(batches, 1, "the walk ends after its batch");
    t.like(await read(), { stage: 1, cursor: "t/one/b", finishedAt: undefined });
    t.true(isFree(await read()));
  },
);

test.serial("a stalled holder proves nothing after another process has found stale keys", async (t) => {
  const { commit, stallDuring } = stallingCommit();
  const stalled = open({ holder: "stalled", commit });
  let batches = 0;
  const findStaleElsewhere = async () => {
    await takeOver(open({ holder: "other", stages: only("t/one/e"), at: 6_500 }), () => true);
    t.like(await read(), { stale: 1, cursor: "t/one/e" });
  };
  await stalled.walk(await stalled.begin(), async () => {
    batches += 1;
    if (batches === 3) await stallDuring(findStaleElsewhere);
    return false;
  });
  t.like(await read(), { stale: 1, cursor: "t/one/e", finishedAt: undefined, provenAt: undefined });
});
