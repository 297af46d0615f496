import type { Db } from "mongodb";
import { SHARD_KEY, SHARDED } from "../sharding.ts";

/** A command that shards a collection. */
export interface ShardCommand {
  shardCollection: string;
  key: typeof SHARD_KEY;
}

/** Whether the database is reached through mongos, the router of a sharded cluster. */
export const isSharded = async (db: Db): Promise<boolean> => (await db.command({ isMaster: 1 })).msg === "isdbgrid";

/** Shards each collection that is not sharded yet. Idempotent. Returns one sentence per sharded collection. */
export async function shardCollections(db: Db): Promise<string[]> {
  const known = db.client.db("config").collection<{ _id: string; key?: object }>("collections");
  const keys = new Map<string, object | undefined>();
  for (const { shardCollection: _id } of shardCommands(db.databaseName))
    keys.set(_id, (await known.findOne({ _id }))?.key);
  const commands = shardCommands(db.databaseName, keys);
  if (commands.length > 0) await db.admin().command({ enableSharding: db.databaseName });
  for (const command of commands) await db.admin().command({ ...command });
  return commands.map(({ shardCollection }) => `the collection "${shardCollection}" is now sharded by _id`);
}

/**
 * Returns the commands that shard a database's collections, except collections that already have the shard key. Throws if one
 * has a different key.
 */
export function shardCommands(database: string, present: ReadonlyMap<string, object | undefined> = new Map()) {
  return SHARDED.flatMap((name): ShardCommand[] => {
    const shardCollection = `${database}.${name}`;
    const key = present.get(shardCollection);
    if (key === undefined) return [{ shardCollection, key: SHARD_KEY }];
    const [is, needed] = [JSON.stringify(key), JSON.stringify(SHARD_KEY)];
    if (is === needed) return [];
    throw new Error(
      `the collection "${shardCollection}" is sharded by ${is}, but its queries need ${needed}: reshard it with the command reshardCollection`,
    );
  });
}
