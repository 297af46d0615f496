import { allKinds } from "../../records/all-kinds.ts";
import { openDatabase } from "../../records/client.ts";
import { dropFormerIndexes, makeIndexes } from "../../records/indexes.ts";
import { renameStored } from "../../records/rename-stored.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { command } from "./admin/command.ts";
import { helpOption } from "./admin/parse-call.ts";
import { runCommandLine } from "./admin/run-command-line.ts";

/** `npm run release`: it says what it has changed, and may be repeated. */
const release = command({
  name: "",
  arguments: [],
  means:
    "make what the processes of a new version need of the database, beside those of the last version, before they start",
  options: {},
  async run() {
    const settings = readSettings(["MONGODB_URL", "MONGODB_DATABASE"]);
    const { db, close } = openDatabase(settings.MONGODB_URL, settings.MONGODB_DATABASE, 60_000);
    try {
      // Runs before the indexes are created, because a unique index may be on a field with a new name.
      const renamed = await renameStored(db);
      const made = await makeIndexes(db, await allKinds());
      const changes = [...renamed, ...made, ...(await dropFormerIndexes(db))];
      return { lines: changes.length > 0 ? changes : ["nothing had to be changed"], data: {} };
    } finally {
      await close();
    }
  },
});

const program = { call: "npm run release --", commands: [release], common: helpOption };
process.exitCode = await runCommandLine(process.argv.slice(2), program);
