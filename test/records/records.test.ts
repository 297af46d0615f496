import test from "ava";
import fc from "fast-check";
import { nextRev } from "../../records/records.ts";

const at = fc.date({ min: new Date("2020-01-01"), max: new Date("2200-01-01"), noInvalidDate: true });

test("a new record's rev is the time in milliseconds", (t) => {
  t.is(nextRev(undefined, new Date(1_700_000_000_123)), 1_700_000_000_123);
});

test("each change has a larger rev, whatever the clock says", (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 50 }), at, (rev, now) => {
      t.is(nextRev({ rev }, now), Math.max(rev + 1, now.getTime()));
    }),
  );
});

test("a record restored to an earlier rev never reuses a rev for different content", (t) => {
  const madeAt = new Date("2026-03-01T12:00:00Z");
  const restored = nextRev(undefined, madeAt);
  const lost = Array.from({ length: 9 }).reduce<number>((rev) => nextRev({ rev }, madeAt), restored);
  t.true(nextRev({ rev: restored }, new Date(madeAt.getTime() + 60_000)) > lost);
});

test("a key's revs never repeat after its removal if the key changes less than once a millisecond", (t) => {
  fc.assert(
    fc.property(at, fc.integer({ min: 1, max: 50 }), (madeAt, changes) => {
      let rev = nextRev(undefined, madeAt);
      for (let change = 0; change < changes; change += 1) rev = nextRev({ rev }, madeAt);
      t.true(nextRev(undefined, new Date(madeAt.getTime() + changes + 1)) > rev);
    }),
  );
});
