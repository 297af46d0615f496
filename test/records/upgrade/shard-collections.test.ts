import test from "ava";
import { SHARD_KEY, SHARDED } from "../../../records/sharding.ts";
import { isSharded, shardCommands } from "../../../records/upgrade/shard-collections.ts";
import { ownDatabase } from "../../harness/own.ts";

const database = ownDatabase();
const ITEMS = "shop.storeitemvalues.v1";

test("each sharded collection has one command that shards it by its IDs, whose index every collection has", (t) => {
  const commands = shardCommands("shop");
  t.deepEqual(
    commands.map(({ shardCollection }) => shardCollection),
    [...new Set(SHARDED)].map((name) => `shop.${name}`),
  );
  t.deepEqual(new Set(commands.map(({ key }) => JSON.stringify(key))), new Set(['{"_id":1}']));
});

test("a collection that is already sharded by its IDs is skipped, so that the command may be repeated", (t) => {
  const rest = shardCommands("shop", new Map([[ITEMS, { _id: 1 }]]));
  t.is(rest.length, SHARDED.length - 1);
  t.false(rest.some(({ shardCollection }) => shardCollection === ITEMS));
  const all = new Map(SHARDED.map((name) => [`shop.${name}`, SHARD_KEY]));
  t.deepEqual(shardCommands("shop", all), []);
});

test("a collection sharded by another key is reported, with the key that its queries need", (t) => {
  t.throws(() => shardCommands("shop", new Map([[ITEMS, { _id: "hashed" }]])), {
    message: `the collection "${ITEMS}" is sharded by {"_id":"hashed"}, but its queries need {"_id":1}: reshard it with the command reshardCollection`,
  });
});

test("a database without shards is recognized", async (t) => {
  t.false(await isSharded(database.db));
});
