import { fileURLToPath } from "node:url";
import test from "ava";
import { drivers } from "../../schemas/label-server.ts";
import { runDriverChaos } from "../../scripts/develop/chaos/drivers/run-driver-chaos.ts";
import { readItems } from "../../scripts/operate/import/read-items.ts";
import { openDatabases } from "../harness/databases/databases.ts";

const LABELS = 10;

test("through each driver every label ends up showing the newest picture, whatever is lost, repeated, reordered, restarted or killed", async (t) => {
  const databases = await openDatabases();
  t.teardown(() => databases.stop());
  const sample = fileURLToPath(new URL("../../scripts/demo/products.csv", import.meta.url));
  const { wrong, lists } = await runDriverChaos({
    drivers,
    rows: (await readItems(sample)).slice(0, LABELS),
    seed: 20_261_126,
    milliseconds: 10_000,
    mongoUrl: databases.mongoUrl,
    // Less than AVA's timeout, after which AVA would end the test without a message.
    calmMs: 600_000,
    log: t.log,
  });
  t.deepEqual(wrong, []);
  t.true(lists > 1);
});
