import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import test from "ava";
import { findDatabasePlace } from "../../harness/databases.ts";

const folder = fileURLToPath(new URL("../../../", import.meta.url));

test("the release command reports its changes, and a second run changes nothing", async (t) => {
  const { mongoUrl, database, drop } = await findDatabasePlace();
  t.teardown(drop);
  const env = { ...process.env, MONGODB_URL: mongoUrl, MONGODB_DATABASE: database };
  const release = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["scripts/operate/release.ts"], {
      cwd: folder,
      env,
    });
    return stdout;
  };
  const first = await release();
  t.regex(first, /^the collection "journal" has the index /m);
  t.is(await release(), "nothing had to be changed\n");
});
