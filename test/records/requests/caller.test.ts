import test from "ava";
import { UnavailableError } from "../../../records/mongodb/unavailable.ts";
import { openCaller } from "../../../records/requests/caller.ts";

/** Longer than any test. */
const HOUR_MS = 3_600_000;

test("a caller waits until its deadline or its response, and each step restarts the deadline", (t) => {
  let time = 100;
  const caller = openCaller(() => time, HOUR_MS, 3 * HOUR_MS);
  t.is(caller.deadline, 100 + HOUR_MS);
  time = 100 + HOUR_MS;
  t.true(caller.isWaiting());
  caller.extend();
  t.is(caller.deadline, 100 + 2 * HOUR_MS);
  time = caller.deadline;
  caller.extend();
  time = caller.deadline;
  caller.extend();
  t.is(caller.deadline, 100 + 3 * HOUR_MS, "the caller waits no longer than this for all steps");
  time += 1;
  t.false(caller.isWaiting());
  caller.extend();
  t.is(caller.deadline, 100 + 3 * HOUR_MS);
  caller.resolve([]);
});

test("a caller with a response stops waiting and keeps its first response", async (t) => {
  const confirmed = openCaller(() => 0, HOUR_MS, HOUR_MS);
  t.true(confirmed.isWaiting());
  confirmed.resolve([]);
  t.false(confirmed.isWaiting());
  confirmed.reject(new Error("too late"));
  t.deepEqual(await confirmed.confirmed, []);
  const refused = openCaller(() => 0, HOUR_MS, HOUR_MS);
  refused.reject(new Error("refused"));
  await t.throwsAsync(refused.confirmed, { message: "refused" });
});

test("a caller without a response is rejected with the time limit", async (t) => {
  const { confirmed } = openCaller(() => HOUR_MS, 1, HOUR_MS);
  await t.throwsAsync(confirmed, { instanceOf: UnavailableError, message: "no confirmation within 1 ms" });
});
