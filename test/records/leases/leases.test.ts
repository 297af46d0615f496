import test from "ava";
import { openLeases } from "../../../records/leases/leases.ts";
import { createFirstTogether } from "../../../records/mongodb/find-first-together.ts";
import { ownDatabase } from "../../harness/own.ts";

const world = ownDatabase();
const LEASE_MS = 10_000;
const MINUTE_MS = 60_000;
const NOW = Date.parse("2026-03-10T08:00:00Z");

/**
 * A process whose clock is `aheadMs` ahead of the others; `passed` is the elapsed time in milliseconds on the clock
 * that only advances.
 */
function aProcess(holder: string, aheadMs = 0) {
  const time = { passed: 0 };
  const now = () => new Date(NOW + aheadMs + time.passed);
  return {
    time,
    ...openLeases({
      db: world.db,
      firstTogether: createFirstTogether(world.db),
      holder,
      now,
      clock: () => time.passed,
    }),
  };
}

test("one process holds a lease, and may renew it, until the lease expires or is released", async (t) => {
  const [one, other] = [aProcess("one"), aProcess("other")];
  t.true(await one.hold("swept", LEASE_MS));
  t.true(await one.hold("swept", LEASE_MS));
  t.false(await other.hold("swept", LEASE_MS));
  t.true(await other.hold("another lease", LEASE_MS));
  other.time.passed = LEASE_MS + 1;
  t.true(await other.hold("swept", LEASE_MS));
  t.false(await one.hold("swept", LEASE_MS));
  await one.release("swept");
  t.false(await one.hold("swept", LEASE_MS), "a process releases only its own lease");
  await other.release("swept");
  t.true(await one.hold("swept", LEASE_MS));
});

test("a killed process whose clock was ahead holds a lease no longer than any other", async (t) => {
  const killed = aProcess("killed", MINUTE_MS);
  const [one, other] = [aProcess("one"), aProcess("other")];
  await killed.hold("ahead", LEASE_MS);
  for (const looking of [one, other]) t.false(await looking.hold("ahead", LEASE_MS));
  one.time.passed = LEASE_MS - 1;
  t.false(await one.hold("ahead", LEASE_MS));
  for (const looking of [one, other]) looking.time.passed = LEASE_MS;
  t.true(await one.hold("ahead", LEASE_MS));
  t.false(await other.hold("ahead", LEASE_MS), "another process holds the lease now");
});

test("a lease that its holder renews does not expire, whatever the holder's clock says", async (t) => {
  const holder = aProcess("ahead", MINUTE_MS);
  const looking = aProcess("looking");
  for (let count = 0; count < 4; count += 1) {
    await holder.hold("renewed", LEASE_MS);
    t.false(await looking.hold("renewed", LEASE_MS));
    for (const { time } of [holder, looking]) time.passed += LEASE_MS / 2;
  }
});

test("if two processes see a lease expire, one takes it", async (t) => {
  await aProcess("killed", MINUTE_MS).hold("contested", LEASE_MS);
  const both = [aProcess("one"), aProcess("other")];
  for (const looking of both) {
    await looking.hold("contested", LEASE_MS);
    looking.time.passed = LEASE_MS;
  }
  const taken = await Promise.all(both.map(({ hold }) => hold("contested", LEASE_MS)));
  t.is(taken.filter(Boolean).length, 1);
});
