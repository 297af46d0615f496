import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Binary, type Document, MongoClient } from "mongodb";
import pLimit from "p-limit";
import { encodePng } from "../../../drawing/pixels/png.ts";
import { allKinds } from "../../../records/all-kinds.ts";
import { makeIndexes } from "../../../records/indexes.ts";
import { inBatches } from "../../../schemas/in-batches.ts";
import type { Item } from "../../../schemas/item.ts";
import { httpLabelServer } from "../../../workers/transmitter/drivers/http.ts";
import { labelTypes } from "../../demo/catalogue.ts";
import { chooseDemoDesign, drawDemo } from "../../demo/draw.ts";
import { openLabelServer } from "../../label-server/process.ts";
import { timed } from "./report.ts";

const BATCH_SIZE = 1000;
const IDS_PER_READ = 100;
const TYPE = 1328;

/** The collections that each stage reads and writes. */
const stages = [
  { reads: [], writes: ["storeitemvalues.v1", "sic"] },
  { reads: ["storeitemvalues.v1"], writes: ["itemlinks", "storeesl.v1", "link.v2"] },
  { reads: ["link.v2", "storeitemvalues.v1"], writes: ["studiolink.v1"] },
  { reads: ["link.v2", "studiolink.v1"], writes: ["designerlink.v1"] },
  { reads: ["designerlink.v1", "storeitemvalues.v1", "storeesl.v1"], writes: ["image", "renderedimage.v1"] },
  { reads: ["renderedimage.v1"], writes: ["eslimage.v1"] },
  // A transmission and its acknowledgement write the state twice.
  { reads: ["eslimage.v1", "image", "labelstate"], writes: ["labelstate", "labelstate"] },
] as const;

/**
 * Measures the bare work of a price list, stage by stage, in seconds. The driver reads the documents that the pipeline left,
 * and writes them into collections with the same indexes. Then come evaluation, drawing, and calls to a label server. This work
 * has no protection against faults.
 */
export async function bareStages(url: string, database: string): Promise<number> {
  const client = new MongoClient(url);
  const source = client.db(database);
  let seconds = 0;
  for (const { reads, writes } of stages) {
    for (const name of reads) seconds += await bareReads(client, database, name);
    for (const name of writes) seconds += await bareInserts(client, database, name);
  }
  const items = (await source.collection("storeitemvalues.v1").find().toArray()) as unknown as Item[];
  const images = await source.collection("image").find().toArray();
  seconds += bareEvaluations(items);
  seconds += bareDrawings(items);
  seconds += await bareTransmissions(
    images.map(({ png }) => (png as Binary).buffer),
    items.length,
  );
  await client.close();
  return seconds;
}

/**
 * Measures how many seconds it takes to insert the documents of a collection (at most `limit`, 0 for all) into an empty
 * collection with the same indexes.
 */
export async function bareInserts(client: MongoClient, database: string, name: string, limit = 0): Promise<number> {
  const documents = await client.db(database).collection(name).find().limit(limit).toArray();
  const target = client.db(`${database}-bare-${Math.random().toString(36).slice(2)}`);
  await makeIndexes(
    target,
    (await allKinds()).filter((kind) => kind.name === name),
  );
  const { seconds } = await timed(async () => {
    for (const batch of inBatches(documents, BATCH_SIZE)) {
      const operations = batch.map((document) => ({ insertOne: { document } }));
      await target.collection(name).bulkWrite(operations, { ordered: false });
    }
  });
  await target.dropDatabase();
  return seconds;
}

async function bareReads(client: MongoClient, database: string, name: string): Promise<number> {
  const collection = client.db(database).collection<Document & { _id: string }>(name);
  const ids = (await collection.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
  const { seconds } = await timed(async () => {
    for (const batch of inBatches(ids, BATCH_SIZE))
      await Promise.all(
        inBatches(batch, IDS_PER_READ).map((part) => collection.find({ _id: { $in: part } }).toArray()),
      );
  });
  return seconds;
}

function bareEvaluations(items: readonly Item[]): number {
  const began = performance.now();
  for (const item of items) chooseDemoDesign(item, TYPE);
  return (performance.now() - began) / 1000;
}

function bareDrawings(items: readonly Item[]): number {
  const labelType = labelTypes.find(({ type }) => type === TYPE);
  if (labelType === undefined) throw new Error(`the demo has no label type ${TYPE}`);
  const chosen = items.map((item) => ({ item, design: chooseDemoDesign(item, TYPE) }));
  const began = performance.now();
  for (const { item, design } of chosen) {
    const picture = drawDemo(item, labelType, design);
    createHash("sha256").update(picture.pixels).digest("hex");
    encodePng(picture);
  }
  return (performance.now() - began) / 1000;
}

/** Sends pictures to an emulated label server until it has reported all of them to a server that only counts reports. */
async function bareTransmissions(pngs: readonly Uint8Array[], count: number): Promise<number> {
  let reported = 0;
  const sink = createServer(async (request, answer) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    reported += JSON.parse(Buffer.concat(parts).toString()).reports.length;
    answer.writeHead(204).end();
  });
  await new Promise<void>((resolve) => sink.listen(0, resolve));
  const reportUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
  const emulated = await openLabelServer({ port: 0, secret: "bench", reportUrl, airTimeMs: 0 });
  const driver = httpLabelServer(`http://127.0.0.1:${emulated.port}`, ["bench"], 16, () => performance.now());
  const send = (index: number) =>
    driver.sendPage({
      store: "t/bench/s/bench",
      barcode: `B${index}`,
      page: 0,
      number: 1,
      content: { png: pngs[index % pngs.length] ?? new Uint8Array() },
      priority: "normal",
      transceivers: ["T1"],
    });
  const { seconds } = await timed(async () => {
    const indexes = Array.from({ length: count }, (_, index) => index);
    await pLimit(16).map(indexes, send);
    while (reported < count) await new Promise((resolve) => setTimeout(resolve, 5));
  });
  await driver.close();
  await emulated.close();
  sink.closeAllConnections();
  sink.close();
  return seconds;
}
