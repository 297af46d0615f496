import { readSettings } from "../../queues/read-settings.ts";
import { allKinds } from "../../records/all-kinds.ts";
import { openDatabase } from "../../records/client.ts";
import { dropFormerIndexes, makeIndexes } from "../../records/indexes.ts";
import { renameStored } from "../../records/rename-stored.ts";

/**
 * `npm run release`, before the processes of a new version start: makes what they need of the database, beside those of
 * the last version. It says what it has changed, and may be repeated.
 */
const settings = readSettings(["MONGODB_URL", "MONGODB_DATABASE"]);
const { db, close } = openDatabase(settings.MONGODB_URL, settings.MONGODB_DATABASE, 60_000);
// Runs before the indexes are created, because a unique index may be on a field with a new name.
const renamed = await renameStored(db);
const made = await makeIndexes(db, await allKinds());
const changes = [...renamed, ...made, ...(await dropFormerIndexes(db))];
for (const change of changes) process.stdout.write(`${change}\n`);
if (changes.length === 0) process.stdout.write("nothing had to be changed\n");
await close();
