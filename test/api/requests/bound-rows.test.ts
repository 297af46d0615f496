import test from "ava";
import { ProblemError } from "../../../api/http/problem-error.ts";
import { boundRows } from "../../../api/requests/bound-rows.ts";
import { openRowsInFlight } from "../../../records/requests/in-flight.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownStack } from "../../harness/own.ts";
import { thisThread } from "../../harness/threads/host.ts";
import { refused } from "../calls.ts";

const limits = { rowsInFlight: 100, chunksInFlight: 10 };
const rowsOf = (count: number) => Array.from({ length: count }, () => ({}));

/** Returns a bound over a journal with the given contents for each tenant, and a clock that the test sets. */
function boundedBy(inFlight: Record<string, { rows: number; chunks: number }>) {
  let time = 0;
  let reads = 0;
  const accepted: string[] = [];
  const accept = boundRows(
    async ({ store }) => {
      accepted.push(store);
      return [];
    },
    {
      limits,
      readInFlight: async (tenant) => {
        reads += 1;
        return inFlight[tenant] ?? { rows: 0, chunks: 0 };
      },
      clock: () => time,
      onError: () => {},
    },
  );
  return {
    accepted,
    reads: () => reads,
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
    send: (store: string, rows: number) =>
      accept({ store, operation: "patch-items", rows: rowsOf(rows), ordered: false }),
  };
}

const refusal = (message: RegExp) => ({ instanceOf: ProblemError, message });

test("one tenant's rows in flight never block another's, and a refusal states the limit and the current count", async (t) => {
  const { send, wait, accepted } = boundedBy({ "t/a": { rows: 90, chunks: 1 } });
  await send("t/a/s/x", 1);
  wait(1000);
  await t.throwsAsync(
    send("t/a/s/y", 20),
    refusal(/^At most 100 rows of a tenant .*; 90 are waiting, and this request has 20/),
  );
  await send("t/b/s/x", 100);
  await send("t/a/s/x", 10);
  t.deepEqual(accepted, ["t/a/s/x", "t/b/s/x", "t/a/s/x"]);
});

test("many one-row requests are limited by their chunks", async (t) => {
  const { send } = boundedBy({});
  for (let count = 0; count < 10; count += 1) await send("t/a/s/x", 1);
  await t.throwsAsync(send("t/a/s/x", 1), refusal(/^At most 10 parts of a tenant's requests/));
});

test("rows applied since the last count do not count against a tenant: a refusal uses a fresh count", async (t) => {
  const inFlight = { "t/a": { rows: 100, chunks: 1 } };
  const { send, wait } = boundedBy(inFlight);
  await send("t/a/s/x", 1);
  wait(1000);
  await t.throwsAsync(send("t/a/s/x", 1), refusal(/100 are waiting/));
  inFlight["t/a"] = { rows: 0, chunks: 0 };
  wait(1000);
  await t.notThrowsAsync(send("t/a/s/x", 1));
});

test("the journal is counted at most once a second, however many requests arrive", async (t) => {
  const { send, wait, reads } = boundedBy({});
  for (let count = 0; count < 5; count += 1) await send("t/a/s/x", 1);
  t.is(reads(), 1);
  wait(1000);
  for (let count = 0; count < 5; count += 1) await send("t/a/s/x", 1);
  t.is(reads(), 2);
});

const shelfwire = ownStack({ workers: [] }, thisThread);

test("accepted rows that are not applied are in flight; a request beyond the limit returns 429 and changes nothing", async (t) => {
  const { system, client } = shelfwire;
  const original = tenantLimits.rowsInFlight;
  t.teardown(() => {
    tenantLimits.rowsInFlight = original;
  });
  tenantLimits.rowsInFlight = 3;
  const row = (itemId: string) => ({ itemId, price: "1.00" });
  await client.patchItems([row("a"), row("b")]);
  const tooMany = await shelfwire.call("PATCH", "/items", [row("c"), row("d")]);
  t.truthy(tooMany.headers.get("retry-after"));
  const { type, detail } = await refused(t, tooMany, 429);
  t.is(type, "/problems/too-much-waiting");
  t.regex(detail, /^At most 3 rows of a tenant can wait to be applied/);
  t.deepEqual(await openRowsInFlight(system.db, 10)("t/demo"), { rows: 2, chunks: 1 });
  t.deepEqual(await openRowsInFlight(system.db, 10)("t/dem"), { rows: 0, chunks: 0 });

  const open = await system.db.collection("journal").find({ open: true }).toArray();
  await system.journal.settle(new Map(open.map(({ _id }) => [String(_id), []])));
  await eventually("applied rows make room", async () => {
    const { status } = await shelfwire.call("PATCH", "/items", [row("c"), row("d")]);
    return status === 202;
  });
});
