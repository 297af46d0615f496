import { fileURLToPath } from "node:url";
import test from "ava";
import { runChaos } from "../../../scripts/develop/chaos/run-chaos.ts";
import { readItems } from "../../../scripts/operate/import/read-items.ts";
import { openDatabases } from "../../harness/databases/databases.ts";
import { runsToTry } from "../../harness/searches/effort.ts";

test("no price of a list is lost while every worker is killed and Redis is flushed and killed", async (t) => {
  const databases = await openDatabases();
  t.teardown(() => databases.stop());
  const sample = fileURLToPath(new URL("../../../scripts/demo/products.csv", import.meta.url));
  const { wrong, rounds } = await runChaos({
    rows: (await readItems(sample)).slice(0, runsToTry(t, 60, 200, "rows")),
    seed: 20_261_121,
    milliseconds: 14_000,
    mongoUrl: databases.mongoUrl,
    log: t.log,
  });
  t.deepEqual(wrong, []);
  t.true(rounds > 1);
});
