import test from "ava";
import { openOutbox, readOldestUnpublished } from "../../../records/outbox/outbox.ts";
import type { Change } from "../../../schemas/topics.ts";
import { ownDatabase } from "../../harness/own.ts";

const world = ownDatabase();
const at = (second: number): Date => new Date(second * 1_000);
const change = (key: string): Change => ({ key, rev: 1, operation: "UPDATED", changed: [], urgency: "bulk" });

test("the outbox returns entries added before a given time, oldest first, until they are removed", async (t) => {
  const outbox = openOutbox(world.db);
  const keysBefore = async (second: number) => {
    const entries = (await Array.fromAsync(outbox.scan(at(second)))).flat();
    return entries.map(({ _id, changes }) => [_id, ...changes.map(({ key }) => key)]);
  };
  t.is(await readOldestUnpublished(world.db), undefined);
  await outbox.add({ _id: "second", kind: "link.v2", since: at(2), changes: [change("c")] });
  await outbox.add({ _id: "first", kind: "link.v2", since: at(1), changes: [change("a"), change("b")] });
  t.deepEqual(await readOldestUnpublished(world.db), at(1));
  t.deepEqual(await keysBefore(2), [["first", "a", "b"]]);
  t.deepEqual(await keysBefore(3), [
    ["first", "a", "b"],
    ["second", "c"],
  ]);
  await outbox.keep("first", [change("b")], false);
  t.deepEqual(await keysBefore(2), [["first", "b"]]);
  await outbox.remove("first");
  t.deepEqual(await keysBefore(3), [["second", "c"]]);
  t.deepEqual(await readOldestUnpublished(world.db), at(2));
});
