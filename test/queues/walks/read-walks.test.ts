import test from "ava";
import { readWalks } from "../../../queues/walks/walk-progress.ts";
import { type Walk, walks } from "../../../records/kinds/work.ts";
import { ownDatabase } from "../../harness/own.ts";

const database = ownDatabase();

test("only a tenant's own walks are read, in key order", async (t) => {
  const walk = (queue: string): Walk => ({
    queue,
    scope: "t/demo/",
    reason: "a test asks",
    epoch: 1,
    startedAt: new Date(0),
    stage: 0,
    checked: 0,
    stale: 0,
    holder: "",
    heldUntil: new Date(0),
  });
  const collection = database.db.collection<{ _id: string } & Walk>(walks.name);
  for (const [_id, queue] of [
    ["t/demo/walks/renderer", "renderer"],
    ["t/demo/walks/evaluator", "evaluator"],
    ["t/demo2/walks/evaluator", "merger"],
  ] as const)
    await collection.insertOne({ _id, ...walk(queue) });
  t.deepEqual(
    (await readWalks(database.db, "t/demo")).map(({ queue }) => queue),
    ["evaluator", "renderer"],
  );
});
