import test from "ava";
import { openDatabaseClock } from "../../records/database-clock.ts";
import { ownSystem } from "../harness/own.ts";

const own = ownSystem();

const HOUR_MS = 3_600_000;
/** Longer than any machine takes to answer. */
const NEAR_MS = 60_000;
const isNear = (one: Date, other: Date | number): boolean => Math.abs(Number(one) - Number(other)) < NEAR_MS;

test("the time is the database's, whatever the process's clock says, and advances between reads", async (t) => {
  const errors: Error[] = [];
  let milliseconds = 0;
  const processNow = () => new Date(Date.now() + HOUR_MS);
  const clock = openDatabaseClock(
    own.system.db,
    processNow,
    () => milliseconds,
    (error) => errors.push(error),
  );
  t.true(isNear(clock.now(), Date.now() + HOUR_MS), "before the first response only the process's clock is known");
  await clock.synchronize();
  const first = clock.now();
  t.true(isNear(first, Date.now()));
  milliseconds += 1_234;
  t.is(clock.now().getTime() - first.getTime(), 1_234);
  t.deepEqual(errors, []);
});

test("the time is read again after half a minute, and during an outage the last reading counts", async (t) => {
  let milliseconds = 0;
  let asked = 0;
  let time = Date.parse("2026-03-01");
  let isAway = false;
  const errors: Error[] = [];
  const db = {
    async command() {
      asked += 1;
      if (isAway) throw new Error("away");
      return { localTime: new Date(time) };
    },
  };
  const clock = openDatabaseClock(
    db,
    () => new Date(0),
    () => milliseconds,
    (error) => errors.push(error),
  );
  await clock.synchronize();
  milliseconds = 29_999;
  clock.now();
  t.is(asked, 1);
  milliseconds = 30_000;
  time += HOUR_MS;
  clock.now();
  t.is(asked, 2);
  await clock.synchronize();
  t.is(clock.now().getTime(), time);
  isAway = true;
  milliseconds += 40_000;
  t.is(clock.now().getTime(), time + 40_000);
  await t.throwsAsync(clock.synchronize());
  t.is(clock.now().getTime(), time + 40_000);
  t.true(errors.length > 0);
});

test("a response that waited for seconds does not set the clock: the database is asked again", async (t) => {
  const start = Date.parse("2026-03-01");
  const clocks = { milliseconds: 0 };
  const roundTrips: number[] = [];
  const db = {
    // The database writes its time last, after the command has waited.
    async command() {
      clocks.milliseconds += roundTrips.shift() ?? 0;
      return { localTime: new Date(start + clocks.milliseconds) };
    },
  };
  const clock = openDatabaseClock(
    db,
    () => new Date(0),
    () => clocks.milliseconds,
    () => {},
  );
  const ahead = () => clock.now().getTime() - start - clocks.milliseconds;

  roundTrips.push(20_000, 0);
  await clock.synchronize();
  t.is(ahead(), 0, "the first response");
  roundTrips.push(20_000, 600);
  await clock.synchronize();
  t.is(ahead(), 300, "a later response");
  roundTrips.push(8_000, 4_000, 2_000);
  const error = await t.throwsAsync(clock.synchronize());
  t.is(error?.message, "the database took 2000 ms to report its time, which must take at most 1000 ms");
  t.is(ahead(), 300, "the last precise response counts");
  t.is(roundTrips.length, 0);
});

test("of imprecise responses, the most precise one counts until a precise one arrives", async (t) => {
  let milliseconds = 0;
  const roundTrips = [3_000, 2_000, 4_000];
  const db = {
    async command() {
      milliseconds += roundTrips.shift() ?? 0;
      return { localTime: new Date(milliseconds) };
    },
  };
  const clock = openDatabaseClock(
    db,
    () => new Date(0),
    () => milliseconds,
    () => {},
  );
  await t.throwsAsync(clock.synchronize());
  t.is(clock.now().getTime() - milliseconds, 1_000);
  await clock.synchronize();
  t.is(clock.now().getTime() - milliseconds, 0);
});

test.serial("a process whose clock is ahead stores due work with the database's time", async (t) => {
  const { system } = own;
  await system.inbox.take(0, 0);
  const { Date: real } = globalThis;
  class Ahead extends real {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [real.now() + HOUR_MS] : given) as [number]));
    }
  }
  globalThis.Date = Ahead as DateConstructor;
  try {
    t.true(system.now().getTime() - real.now() > HOUR_MS - NEAR_MS, "the process's clock is ahead");
    await system.inbox.add("link.v2", []);
  } finally {
    globalThis.Date = real;
  }
  const [entry] = await system.db.collection<{ due: Date; since: Date }>("inbox").find({}).toArray();
  t.true(entry !== undefined && isNear(entry.since, real.now()), String(entry?.since));
  t.is((await system.inbox.take(1, 1_000)).length, 1, "another process takes the entry immediately");
});
