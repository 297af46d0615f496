import { readSettings } from "../../queues/read-settings.ts";
import { allKinds } from "../../records/all-kinds.ts";
import { openDatabase } from "../../records/client.ts";
import { dropFormerIndexes, makeIndexes } from "../../records/indexes.ts";
import { renameStored } from "../../records/rename-stored.ts";

const settings = readSettings(["MONGODB_URL", "MONGODB_DATABASE"]);
const { db, close } = openDatabase(settings.MONGODB_URL, settings.MONGODB_DATABASE, 60_000);
// Runs before the indexes are created, because a unique index may be on a field with a new name.
await renameStored(db);
await makeIndexes(db, await allKinds());
await dropFormerIndexes(db);
await close();
