import test from "ava";
import { queueNames } from "../../../queues/topology.ts";
import { freePort } from "../../../scripts/start/ports.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { startProcess } from "../../harness/processes/own-process.ts";
import { callersOf } from "../../harness/served.ts";

const shelfwire = ownStack({ workers: [] });

const connections = async (): Promise<number> =>
  String(await shelfwire.system.redis.client("LIST"))
    .trim()
    .split("\n").length;

test.serial(
  "one process serves calls and draws prices over few Redis connections, and exits with 0 at SIGTERM",
  async (t) => {
    const port = await freePort();
    const before = await connections();
    const all = startProcess(t, "scripts/operate/all.ts", { ...shelfwire.environment, PORT: String(port) });
    const origin = `http://127.0.0.1:${port}`;
    await eventually("it is ready", async () => (await fetch(`${origin}/readyz`)).ok);
    const { client } = await callersOf(origin);
    const barcode = labelFor("all");
    await client.patchItems([{ itemId: "all", itemName: "All in one", price: "1.00" }]);
    await client.patchLabels([{ barcode, links: [{ itemId: "all" }] }]);
    t.truthy(await glassOf(shelfwire, barcode));
    // One connection for the API, two shared by the workers, one for each queue that waits for jobs, and one for report
    // prompts.
    const expected = 4 + queueNames.length;
    t.is(await eventually("they are there", async () => (await connections()) - before === expected && expected), 14);
    const { code, milliseconds } = await all.terminate();
    t.is(code, 0, all.output());
    t.log(`it ended after ${Math.round(milliseconds)} ms`);
  },
);

test.serial("all missing settings are listed together", async (t) => {
  const { LABEL_SERVER_SECRET: _, REDIS_URL: __, ...lacking } = shelfwire.environment;
  const all = startProcess(t, "scripts/operate/all.ts", lacking);
  t.is(await all.ended, 1);
  t.regex(all.output(), /REDIS_URL is missing/);
  t.regex(all.output(), /LABEL_SERVER_SECRET is missing/);
});

test.serial(
  "a process whose NODE_CHANNEL_FD was copied from another process refuses to start and says why",
  async (t) => {
    for (const entry of ["scripts/operate/all.ts", "workers/item/process.ts"]) {
      const copied = startProcess(t, entry, { ...shelfwire.environment, NODE_CHANNEL_FD: "3" });
      t.is(await copied.ended, 1);
      t.regex(copied.output(), /NODE_CHANNEL_FD is set to the descriptor 3/);
    }
  },
);
