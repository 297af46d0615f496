import test from "ava";
import fc from "fast-check";
import type { Db } from "mongodb";
import { createAcceptance } from "../../../../records/requests/accept.ts";
import { openChildRequests } from "../../../../records/requests/child-requests.ts";
import { isVoid, journalCollection } from "../../../../records/requests/journal.ts";
import { wrapped } from "../../../harness/databases/wrapped-db.ts";
import { ownDatabase } from "../../../harness/own.ts";

/** Longer than any machine is ever blocked: such a pause must not look like a step of the clock. */
const TIMEOUT_MS = 600_000;

const database = ownDatabase();

/** The database, whose clock moves by `ms`, forward or back, each time a number is drawn. */
function stepping(ms: number): Db {
  return wrapped(database.db, async (collection, method, _, call) => {
    const found = await call();
    if (collection !== "counter" || method !== "findOneAndUpdate") return found;
    const counter = found as { drawnAt: Date };
    return { ...counter, drawnAt: new Date(counter.drawnAt.getTime() - ms) };
  });
}

const journaled = (store: string) => journalCollection(database.db).find({ store }).toArray();

const steps = [-86_400_000, -TIMEOUT_MS, -1_000, 0, 1_000, TIMEOUT_MS - 5_000, TIMEOUT_MS, 86_400_000];

for (const count of [1, 2, 2_500])
  for (const step of steps)
    test(`a confirmed request is valid and a refused one void: ${count} rows, with the clock moved by ${step} ms`, async (t) => {
      const store = `t/demo/s/step-${count}-${step}`;
      const accept = createAcceptance(stepping(step), () => performance.now(), TIMEOUT_MS);
      const rows = Array.from({ length: count }, () => ({ itemId: "milk" }));
      const request = { store, operation: "patch-items", rows, ordered: true };
      const group = await Promise.allSettled([accept(request), accept(request), accept(request)]);
      const chunks = Map.groupBy(await journaled(store), ({ number }) => number);
      for (const [index, outcome] of group.entries())
        t.is(chunks.get(index + 1)?.some(isVoid), outcome.status === "rejected");
      if (step === 0) t.true(group.every(({ status }) => status === "fulfilled"));
      if (Math.abs(step) >= TIMEOUT_MS)
        for (const outcome of group) t.is(outcome.status === "rejected" && outcome.reason.name, "UnavailableError");
    });

test("a confirmed chunk keeps its dates, whatever the database's clock does later", async (t) => {
  const store = "t/demo/s/later";
  const accept = createAcceptance(database.db, () => performance.now(), TIMEOUT_MS);
  const [chunk] = await accept({ store, operation: "patch-items", rows: [{}], ordered: true });
  const before = await journaled(store);
  // As if the command were sent a second time.
  const parent = { store: "t/demo/s/parent", operation: "bulk-links", rows: [{}], ordered: true };
  const [row] = await accept(parent);
  const children = [{ stamp: 1, store, number: chunk?.number ?? 0, drawnAt: chunk?.drawnAt ?? new Date(0) }];
  await journalCollection(database.db).updateOne({ _id: row?._id ?? "" }, { $set: { children, childrenRev: 1 } });
  const request = { operation: "patch-items", rows: [{}], ordered: true };
  const wanted = { parent: row?._id ?? "", stamp: 1, stores: [store], request, urgency: "bulk" } as const;
  await openChildRequests(database.db)(wanted);
  t.deepEqual(await journaled(store), before);
});

test("a chunk stored before its number was drawn is void, since the clock was set back by an unknown time", (t) => {
  const drawnAt = new Date("2026-03-01T08:00:00Z");
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 0, max: 60_000 }), (back, validFor) => {
      t.true(isVoid({ drawnAt, journaledAt: new Date(drawnAt.getTime() - back), validFor }));
    }),
  );
});
