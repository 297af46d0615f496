import test from "ava";
import { startRedis } from "../../../scripts/start/servers.ts";
import { auditStore, nothingBehind } from "../../harness/audits/audit.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

const shelfwire = ownStack();

const barcode = labelFor("bread");

test.serial("during a Redis outage writes are accepted, and processed when Redis is back and empty", async (t) => {
  const { databases, client, call } = shelfwire;
  await databases.redis.kill();
  const answer = await call("PATCH", "/items", [{ itemId: "bread", itemName: "Bread", price: "3.10" }]);
  t.is(answer.status, 202);
  const labels = await client.patchLabels([{ barcode, links: [{ itemId: "bread" }] }]);
  const { requestId } = (await answer.json()) as { requestId: number };
  const pending = await client.itemsResult(requestId);
  t.is(pending.status, "PENDING", "while Redis is unreachable, the result is read from the journal");
  t.is((await call("GET", "/items?projection=S")).status, 200, "reads need MongoDB only");
  const ready = (await (await fetch(`${shelfwire.origin}/readyz`)).json()) as { redis: string };
  t.is(ready.redis, "unavailable: work is delayed");

  databases.redis = await startRedis(Number(new URL(databases.redis.url).port));
  t.is((await itemOutcomes(shelfwire, requestId))[0]?.status, "SUCCESS_NEW_ITEM");
  t.is((await labelOutcomes(shelfwire, labels))[0]?.status, "SUCCESS");
  t.truthy(await glassOf(shelfwire, barcode));
});

test.serial("a flush while work is in progress loses nothing", async (t) => {
  const { client, system } = shelfwire;
  const rows = Array.from({ length: 120 }, (_, index) => ({ itemId: `roll-${index}`, price: "0.30" }));
  const labels = rows.map(({ itemId }) => ({ barcode: labelFor(itemId), links: [{ itemId }] }));
  const items = await client.patchItems(rows);
  const links = await client.patchLabels(labels);
  await system.redis.flushall();
  t.true((await itemOutcomes(shelfwire, items)).every(({ status }) => status === "SUCCESS_NEW_ITEM"));
  await system.redis.flushall();
  t.true((await labelOutcomes(shelfwire, links)).every(({ status }) => status === "SUCCESS"));
  await system.redis.flushall();
  for (const label of labels) await glassOf(shelfwire, label.barcode);
});

test.serial("a result survives a flush: it is read from the journal", async (t) => {
  const requestId = await shelfwire.client.patchItems([{ itemId: "bread", price: "3.20" }]);
  const outcomes = await itemOutcomes(shelfwire, requestId);
  await shelfwire.system.redis.flushall();
  t.deepEqual((await shelfwire.client.itemsResult(requestId)).outcomes, outcomes);
});

test.serial("when all work is done an audit finds nothing to repair", async (t) => {
  await eventually("nothing is behind", async () => {
    const found = await auditStore(shelfwire);
    return Object.values(found).every((stale) => stale === 0);
  });
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});
