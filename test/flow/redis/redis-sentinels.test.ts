import test from "ava";
import { processNames } from "../../../queues/topology.ts";
import { openLog } from "../../../runtime/log.ts";
import { auditEpochs } from "../../harness/audits/audit.ts";
import { type MonitoredRedis, openMonitoredRedis } from "../../harness/databases/redis-servers.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor, labelOutcomes, transmissions } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { hostWith } from "../../harness/threads/host.ts";

let monitored: MonitoredRedis;
/** The watchdog restarts a worker whose queue stalls after a server restart. */
const host = hostWith((name, { LOG_LEVEL = "silent" }) => openLog(name, LOG_LEVEL), { isRestarted: true });
const shelfwire = ownStack(
  {
    openRedis: async () => {
      monitored = await openMonitoredRedis();
      return monitored;
    },
    // Filled in once the servers run. Audits run once a day, so that none repairs what a failover loses.
    get settings() {
      return { ...monitored.settings, AUDIT_EVERY: "86400" };
    },
  },
  host,
);

const itemIds = Array.from({ length: 110 }, (_, index) => `monitored-${index}`);
const rows = (price: string) => itemIds.map((itemId) => ({ itemId, itemName: itemId, price }));
const [urgent = ""] = itemIds;

test.serial("prices reach the glass through a Redis that Sentinels name", async (t) => {
  const { client } = shelfwire;
  const list = await client.patchItems(rows("1.00"));
  const links = await client.patchLabels(itemIds.map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] })));
  t.is((await itemOutcomes(shelfwire, list)).length, itemIds.length);
  t.is((await labelOutcomes(shelfwire, links)).length, itemIds.length);
  for (const itemId of itemIds) t.truthy(await glassOf(shelfwire, labelFor(itemId)));
});

test.serial(
  "a master that fails in the middle of a list loses nothing, and audits start on its successor",
  async (t) => {
    const { client, system } = shelfwire;
    const before = await auditEpochs(system);
    const sent = new Map(itemIds.map((itemId) => [itemId, transmissions(shelfwire, labelFor(itemId))]));
    const isNew = (itemId: string) => transmissions(shelfwire, labelFor(itemId)) > (sent.get(itemId) ?? 0);
    const list = await client.patchItems(rows("2.00"));
    await eventually("the first pictures of the list are sent", async () => itemIds.some(isNew));
    await monitored.killMaster();
    const now = await client.patchItems([{ itemId: urgent, price: "3.00" }]);
    const outcomes = [...(await itemOutcomes(shelfwire, list)), ...(await itemOutcomes(shelfwire, now))];
    t.deepEqual([...new Set(outcomes.map(({ status }) => status))], ["SUCCESS"]);
    await eventually("each price of the list is on the glass", async () => itemIds.every(isNew));
    for (const itemId of itemIds) t.truthy(await glassOf(shelfwire, labelFor(itemId)));
    for (const queue of processNames)
      await eventually(
        `the audit of ${queue} begins`,
        async () => ((await auditEpochs(system)).get(queue) ?? 0) > (before.get(queue) ?? 0),
      );
  },
);
