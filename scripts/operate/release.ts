import { mongoFault, unreachableMongo } from "../../queues/reach-databases.ts";
import { allKinds } from "../../records/all-kinds.ts";
import { openDatabase } from "../../records/client.ts";
import { dropFormerIndexes, makeIndexes } from "../../records/indexes.ts";
import { fillItemKeys } from "../../records/upgrade/fill-item-keys.ts";
import { renameStored } from "../../records/upgrade/rename-stored.ts";
import { isSharded, shardCollections } from "../../records/upgrade/shard-collections.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { command, Refusal } from "./admin/command.ts";
import { dataOptions, type Program } from "./admin/parse-call.ts";
import { runCommandLine } from "./admin/run-command-line.ts";

/** How long a release waits for a database, for example during a failover. */
const DATABASE_TIMEOUT_MS = 60_000;

const NOT_SHARDED =
  "--shard: MONGODB_URL does not lead to a sharded cluster, so nothing was changed. Enter the address of its mongos, or leave out --shard.";

/** `npm run release` prints what it has changed, and may be repeated. */
const release = command({
  name: "",
  arguments: [],
  means:
    "prepare the database for a new version, next to the running processes of the previous one, before the new ones start",
  options: {
    shard: {
      means:
        "then shard the collections that grow with items and labels, on a sharded cluster: the user of MONGODB_URL needs the role clusterManager",
    },
  },
  async run({ options, progress }) {
    const settings = readSettings(["MONGODB_URL", "MONGODB_DATABASE"]);
    const away = await unreachableMongo(settings);
    if (away !== undefined) process.stderr.write(`${away}; trying for another minute\n`);
    const { db, close } = openDatabase(settings.MONGODB_URL, settings.MONGODB_DATABASE, DATABASE_TIMEOUT_MS);
    try {
      if (options.shard && !(await isSharded(db))) throw new Refusal(NOT_SHARDED);
      // Runs before the indexes are created, because a unique index may be on a field with a new name.
      const renamed = await renameStored(db);
      const made = await makeIndexes(db, await allKinds());
      const dropped = await dropFormerIndexes(db);
      const filled = await fillItemKeys(db, (total) => progress("communication packs", total));
      const sharded = options.shard ? await shardCollections(db) : [];
      const changes = [...renamed, ...made, ...dropped, ...filled, ...sharded];
      return { lines: changes.length > 0 ? changes : ["nothing had to be changed"], data: { changes } };
    } catch (error) {
      const fault = mongoFault(error as Error, settings.MONGODB_URL);
      throw fault === undefined ? error : new Refusal(fault);
    } finally {
      await close();
    }
  },
});

/** `npm run release`. */
export const program: Program = { call: "npm run release --", commands: [release], common: dataOptions };
if (import.meta.main) process.exitCode = await runCommandLine(process.argv.slice(2), program);
