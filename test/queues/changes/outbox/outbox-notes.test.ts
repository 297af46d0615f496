import { randomUUID } from "node:crypto";
import test from "ava";
import { queueNames } from "../../../../queues/topology.ts";
import { items } from "../../../../records/kinds/items.ts";
import { openOutbox } from "../../../../records/outbox/outbox.ts";
import { itemKey, labelKey, linkIdOf, linkKey } from "../../../../schemas/keys.ts";
import { type Change, type Topic, topics } from "../../../../schemas/topics.ts";
import { auditStore, nothingBehind } from "../../../harness/audits/audit.ts";
import { eventually } from "../../../harness/eventually.ts";
import { DEMO_STORE, glassOf, itemOutcomes, labelFor, labelOutcomes, transmissions } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";

/**
 * A killed process leaves outbox entries for changes, whether it has written the changes or not. The sweep publishes the
 * written changes.
 */
const shelfwire = ownStack();

const OLD = new Date(0);
const addToOutbox = (kind: Topic, change: Pick<Change, "key" | "operation" | "rev">, since = OLD) =>
  openOutbox(shelfwire.system.db).add({
    _id: randomUUID(),
    kind,
    since,
    changes: [{ changed: [], urgency: "bulk", ...change }],
  });

/** Waits until the outbox is empty and every job is done. */
async function untilCalm(): Promise<void> {
  const { db, publisher } = shelfwire.system;
  await eventually("the outbox is empty", async () => (await db.collection("outbox").countDocuments({})) === 0);
  await eventually("every job is done", async () => {
    const counts = queueNames.map((queue) =>
      publisher.queue(queue).getJobCounts("active", "waiting", "prioritized", "delayed"),
    );
    return (await Promise.all(counts)).flatMap((count) => Object.values(count)).every((count) => count === 0);
  });
}

/** The number of records of each kind with a topic. */
const countRecords = () => Promise.all(topics.map((topic) => shelfwire.system.db.collection(topic).countDocuments({})));

test.serial("an outbox entry whose write never happened changes nothing, whatever change it lists", async (t) => {
  const barcode = labelFor("never");
  const link = linkKey(DEMO_STORE, linkIdOf(barcode, 0));
  const keys: Partial<Record<Topic, string>> = {
    "storeitemvalues.v1": itemKey(DEMO_STORE, "never"),
    "storeesl.v1": labelKey(DEMO_STORE, barcode),
    "eslimage.v1": labelKey(DEMO_STORE, barcode),
    "communicationpack.v1": "t/demo/communicationpacks/never",
    "design.v1": "t/demo/designs/never",
    "canvasdesign.v1": "t/demo/canvasdesigns/never",
    "asset.v1": "t/demo/assets/images/never",
    "assetfile.v1": "t/demo/assets/images/never",
  };
  const before = await countRecords();
  for (const topic of topics) {
    for (const operation of ["CREATED", "UPDATED", "DELETED"] as const)
      await addToOutbox(topic, { key: keys[topic] ?? link, operation, rev: 7 });
  }
  await untilCalm();
  t.deepEqual(await countRecords(), before);
  t.is(await shelfwire.system.db.collection("failure").countDocuments({}), 0);
  for (const queue of queueNames) t.is(await shelfwire.system.publisher.queue(queue).getFailedCount(), 0, queue);
  t.is(transmissions(shelfwire), 0);
});

test.serial("an outbox entry for a published change changes and sends nothing", async (t) => {
  const barcode = labelFor("again");
  await itemOutcomes(shelfwire, await shelfwire.client.patchItems([{ itemId: "again", price: "1.10" }]));
  await labelOutcomes(shelfwire, await shelfwire.client.patchLabels([{ barcode, links: [{ itemId: "again" }] }]));
  const shown = await glassOf(shelfwire, barcode);
  const sent = transmissions(shelfwire);
  const key = itemKey(DEMO_STORE, "again");
  const rev = (await shelfwire.system.records.readRevs(items, [key])).get(key) ?? 0;
  await addToOutbox("storeitemvalues.v1", { key, operation: "CREATED", rev });
  await addToOutbox("storeitemvalues.v1", { key, operation: "UPDATED", rev: rev - 1 });
  await addToOutbox("link.v2", { key: linkKey(DEMO_STORE, linkIdOf(barcode, 0)), operation: "CREATED", rev });
  await untilCalm();
  t.deepEqual(await glassOf(shelfwire, barcode), shown);
  t.is(transmissions(shelfwire), sent);
});

test.serial("a written but unpublished change reaches the glass through its outbox entry", async (t) => {
  const barcode = labelFor("again");
  const shown = await glassOf(shelfwire, barcode);
  const key = itemKey(DEMO_STORE, "again");
  const item = (await shelfwire.system.records.read(items, [key])).get(key);
  if (item === undefined) throw new Error("the item does not exist");
  await addToOutbox("storeitemvalues.v1", { key, operation: "UPDATED", rev: item.rev + 1 }, new Date());
  const proposal = { key, current: item, body: { ...item, price: "9.90" } };
  await shelfwire.system.records.compareAndSet(items, [proposal], { writeId: randomUUID(), at: new Date() });
  await eventually("the new price is shown", async () => !(await glassOf(shelfwire, barcode)).equals(shown));
  await untilCalm();
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});
