import { setTimeout } from "node:timers/promises";
import { BSON, type Db } from "mongodb";
import { auditKey } from "../../../../queues/changes/audit-key.ts";
import { processNames } from "../../../../queues/topology.ts";
import { walks } from "../../../../records/kinds/work.ts";
import { beginAudits } from "../../../operate/archive/begin-audits.ts";
import { documentsOf, type Shown } from "./copy-labels.ts";
import { type Cpu, expectPictures, type GrowthWorld, spentDuring } from "./measure.ts";

/** Documents of a label in a collection, and their size. */
export interface Stored {
  perLabel: number;
  /** Mean size of a document as BSON. */
  bytes: number;
}

const POLL_INTERVAL_MS = 500;
const CALM_MS = 15_000;

/** Sends labels through the pipeline, and changes their prices often enough to give them a history. */
export async function makeOriginals(
  world: GrowthWorld,
  labels: readonly Shown[],
  nextPrice: () => string,
  changes: number,
): Promise<void> {
  const { client } = world.demo;
  const prices = () => labels.map(({ itemId }) => ({ itemId, itemName: `Item ${itemId}`, price: nextPrice() }));
  const links = labels.map(({ itemId, barcode }) => ({ barcode, links: [{ itemId, displayPosition: 0 }] }));
  const untilFirst = await expectPictures(world, labels);
  await client.patchItems(prices());
  await client.patchLabels(links);
  await untilFirst();
  for (let change = 0; change < changes; change += 1) {
    const untilShown = await expectPictures(world, labels);
    await client.patchItems(prices());
    await untilShown();
  }
  await untilCalm(world);
}

/** Waits until no label has received anything for a while, so that nothing is copied while it changes. */
async function untilCalm({ demo }: GrowthWorld): Promise<void> {
  const received = async () =>
    ((await (await fetch(`${demo.stack.emulator}/emulator/summary`)).json()) as { received: number }).received;
  let before = -1;
  for (let now = await received(); now !== before; now = await received()) {
    before = now;
    await setTimeout(CALM_MS);
  }
}

/** Returns the CPU seconds of an audit of the whole store. Throws if it finds a stale record. */
export async function auditOf(world: GrowthWorld): Promise<Cpu> {
  const { system, store } = world;
  return spentDuring(world, async () => {
    await beginAudits(system, store, "bench");
    for (const queue of processNames) {
      const key = auditKey(queue, store);
      for (;;) {
        const walk = (await system.records.read(walks, [key])).get(key);
        if (walk?.finishedAt !== undefined && walk.stale > 0)
          throw new Error(`the audit of ${queue} found ${walk.stale} stale records`);
        if (walk?.finishedAt !== undefined) break;
        await setTimeout(POLL_INTERVAL_MS);
      }
    }
  });
}

/** Measures the documents of a label, by collection. */
export async function measureDocuments(
  db: Db,
  store: string,
  labels: readonly Shown[],
): Promise<Record<string, Stored>> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const measured: Record<string, Stored> = {};
  for (const { name } of collections.toSorted((one, other) => one.name.localeCompare(other.name))) {
    const documents = (await documentsOf(db, name, store, labels)).flatMap((one) => one.documents);
    if (documents.length > 0) measured[name] = sizeOf(documents, labels.length);
  }
  const images = await db.collection("image").find().limit(1_000).toArray();
  measured.image = sizeOf(images, images.length);
  return measured;
}

function sizeOf(documents: readonly object[], labels: number): Stored {
  const bytes = documents.reduce((sum, document) => sum + BSON.calculateObjectSize(document), 0);
  return { perLabel: Number((documents.length / labels).toFixed(2)), bytes: Math.round(bytes / documents.length) };
}
