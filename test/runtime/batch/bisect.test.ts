import test from "ava";
import fc from "fast-check";
import { bisect } from "../../../runtime/batch/bisect.ts";

class NotNowError extends Error {}
const isPostponed = (error: unknown): boolean => error instanceof NotNowError;

/** Distinct entries, with those that fail. */
const entries = fc.uniqueArray(fc.nat({ max: 99 }), { minLength: 1, maxLength: 40 });
const withPoison = entries.chain((all) => fc.tuple(fc.constant(all), fc.subarray(all)));

/** Work that fails for a part with a poisonous entry; `done` lists the entries of successful calls. */
const createWork = (poison: readonly number[]) => {
  const done: number[] = [];
  let calls = 0;
  const work = async (part: number[]) => {
    calls += 1;
    const failing = part.find((entry) => poison.includes(entry));
    if (failing !== undefined) throw new Error(`entry ${failing}`);
    done.push(...part);
  };
  return { work, done, calls: () => calls };
};

test("exactly the entries that fail individually are reported, in order, each with its own error", async (t) => {
  await fc.assert(
    fc.asyncProperty(withPoison, async ([all, poison]) => {
      const failed = await bisect(all, createWork(poison).work, isPostponed);
      t.deepEqual(
        failed.map(({ entry, error }) => [entry, error.message]),
        all.filter((entry) => poison.includes(entry)).map((entry) => [entry, `entry ${entry}`]),
      );
    }),
  );
});

test("every other entry is handled once, in order", async (t) => {
  await fc.assert(
    fc.asyncProperty(withPoison, async ([all, poison]) => {
      const { work, done } = createWork(poison);
      await bisect(all, work, isPostponed);
      t.deepEqual(
        done,
        all.filter((entry) => !poison.includes(entry)),
      );
    }),
  );
});

test("entries that fail only together are not failures", async (t) => {
  const work = async (part: number[]) => {
    if (part.length > 2) throw new Error("too many");
  };
  t.deepEqual(await bisect([1, 2, 3, 4, 5, 6, 7], work, isPostponed), []);
});

test("without failures there is only one call", async (t) => {
  const { work, calls } = createWork([]);
  t.deepEqual(await bisect([1, 2, 3], work, isPostponed), []);
  t.is(calls(), 1);
});

test("one poisonous entry among 1000 costs about twenty calls, not a thousand", async (t) => {
  for (const poison of [0, 499, 500, 999]) {
    const { work, calls } = createWork([poison]);
    await bisect([...Array(1000).keys()], work, isPostponed);
    t.true(calls() <= 21, `${calls()}`);
  }
});

test('an error that means "not now" is rethrown, whichever part causes it', async (t) => {
  await fc.assert(
    fc.asyncProperty(withPoison, fc.nat({ max: 99 }), async ([all, poison], chosen) => {
      const unlucky = all[chosen % all.length];
      const { work } = createWork(poison);
      const unreachable = new NotNowError("the database is unreachable");
      const tried = bisect(
        all,
        async (part) => {
          if (part.length === 1 && part[0] === unlucky) throw unreachable;
          await work(part);
          if (part.includes(unlucky as number)) throw unreachable;
        },
        isPostponed,
      );
      t.is(await t.throwsAsync(tried), unreachable);
    }),
  );
});

test('nothing is tried after an error that means "not now"', async (t) => {
  let calls = 0;
  const work = async () => {
    calls += 1;
    throw new NotNowError();
  };
  await t.throwsAsync(bisect([1, 2, 3, 4], work, isPostponed));
  t.is(calls, 1);
});

test("work that changes its list does not affect the lists of other calls", async (t) => {
  const all = [1, 2, 3];
  const failed = await bisect(
    all,
    async (part) => {
      if (part.splice(0).includes(2)) throw new Error("two");
    },
    isPostponed,
  );
  t.deepEqual(all, [1, 2, 3]);
  t.deepEqual(
    failed.map(({ entry }) => entry),
    [2],
  );
});

test("an empty list is not a failure", async (t) => {
  t.deepEqual(await bisect([], () => Promise.reject(new Error("called for nothing")), isPostponed), []);
});
