import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { type Document, MongoClient } from "mongodb";
import pLimit from "p-limit";
import { Pool } from "undici";
import { mergeItem } from "../../../../domain/items/merge-item.ts";
import { encodePng } from "../../../../drawing/pixels/png.ts";
import { reprDigest } from "../../../../runtime/repr-digest.ts";
import { inBatches } from "../../../../schemas/in-batches.ts";
import type { Item, ItemPatch } from "../../../../schemas/item.ts";
import { labelTypes } from "../../../demo/catalogue.ts";
import { chooseDemoDesign, drawDemo } from "../../../demo/draw.ts";
import { labelRowsFor } from "../../../operate/import/label-rows.ts";

/**
 * The floor of a price: draws and sends the pictures, and makes the four durable writes without which a price or a picture
 * could be lost. It reads nothing, keeps no order, does not retry and explains nothing.
 */
const [, , mongoUrl = "", emulator = "", reportPort, secret] = process.argv;
const TYPE = 1328;
/** The same numbers as in Shelfwire: calls under way to a label server, and writes in one command. */
const CALLS = 16;
const WRITES_PER_COMMAND = 40;

/** How the prices are sent: as one list, or each in its own call, which makes it urgent. */
export type Sending = "list" | "each";

interface Order {
  items?: readonly ItemPatch[];
  sending?: Sending;
  rows?: readonly ItemPatch[];
}
interface Label {
  barcode: string;
  item: Item;
  number: number;
}
interface Report {
  barcode: string;
  kind: string;
  transmission: number;
  at: string;
}
type Write = { collection: "accepted" | "item" | "picture" | "shown"; document: Document & { _id: string } };

const client = await new MongoClient(mongoUrl).connect();
const db = client.db("floor", { writeConcern: { w: "majority", journal: true } });
const pool = new Pool(emulator, { connections: CALLS, keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 });
const labels = new Map<string, Label>();
const typeFound = labelTypes.find(({ type }) => type === TYPE);
if (typeFound === undefined) throw new Error(`the demo has no label type ${TYPE}`);
const labelType = typeFound;
let inOrder: Sending = "list";
/** Labels whose picture is not acknowledged yet. A report may arrive twice. */
const unacknowledged = new Set<string>();

createServer(async (request, answer) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const { reports } = JSON.parse(Buffer.concat(parts).toString()) as { reports: Report[] };
  const acknowledged = reports.filter(({ kind, barcode }) => kind === "acknowledged" && unacknowledged.has(barcode));
  await write(
    acknowledged.map(({ barcode: _id, transmission, at }) => ({
      ...{ collection: "shown", document: { _id, number: transmission, deliveredAt: new Date(at) } },
    })),
  );
  answer.writeHead(204).end();
  for (const { barcode } of acknowledged) unacknowledged.delete(barcode);
  if (acknowledged.length > 0 && unacknowledged.size === 0) process.send?.("acknowledged");
}).listen(Number(reportPort), "127.0.0.1");

process.on("disconnect", () => process.exit(0));
process.on("message", async ({ items, sending = "list", rows = [] }: Order) => {
  if (items) {
    hang(items);
    process.send?.("ready");
    return;
  }
  inOrder = sending;
  for (const { itemId } of rows) unacknowledged.add(labels.get(itemId)?.barcode ?? "");
  if (sending === "each") await pLimit(CALLS).map(rows, (row) => change([row]));
  else for (const batch of inBatches(rows, WRITES_PER_COMMAND)) await change(batch);
});

function hang(items: readonly ItemPatch[]): void {
  const barcodes = labelRowsFor(
    items.map(({ itemId }) => itemId),
    `${TYPE}`,
  );
  for (const [index, item] of items.entries())
    labels.set(item.itemId, {
      barcode: barcodes[index]?.barcode ?? "",
      item: mergeItem(undefined, item, 1, true),
      number: 0,
    });
}

async function change(rows: readonly ItemPatch[]): Promise<void> {
  await write(rows.map((row) => ({ collection: "accepted", document: { _id: crypto.randomUUID(), row } })));
  const changed = rows.map((row) => {
    const label = labels.get(row.itemId);
    if (label === undefined) throw new Error(`no label shows ${row.itemId}`);
    label.number += 1;
    label.item = mergeItem(label.item, row, label.number + 1, true);
    return label;
  });
  await write(changed.map(({ item }) => ({ collection: "item", document: { _id: item.itemId, ...item } })));
  const pictures = changed.map((label) => {
    const picture = drawDemo(label.item, labelType, chooseDemoDesign(label.item, TYPE));
    return { label, png: encodePng(picture), image: createHash("sha256").update(picture.pixels).digest("hex") };
  });
  await write(
    pictures.map(({ label: { barcode, number }, image, png }) => ({
      ...{ collection: "picture", document: { _id: barcode, number, image, png } },
    })),
  );
  await Promise.all(pictures.map(({ label, png }) => send(label, png)));
}

/** Writes documents of one collection, each in its own command or as many in one command as Shelfwire does. */
async function write(writes: readonly Write[]): Promise<void> {
  for (const batch of inBatches(writes, inOrder === "each" ? 1 : WRITES_PER_COMMAND)) {
    const [{ collection } = { collection: "accepted" }] = batch;
    const operations = batch.map(({ document: { _id, ...replacement } }) =>
      collection === "accepted"
        ? { insertOne: { document: { _id, ...replacement } } }
        : { replaceOne: { filter: { _id }, replacement, upsert: true } },
    );
    await db.collection<{ _id: string }>(collection).bulkWrite(operations, { ordered: false });
  }
}

async function send({ barcode, number }: Label, png: Buffer): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: "PUT",
    path: `/labels/${barcode}/pages/0`,
    headers: {
      authorization: `Bearer ${secret}`,
      "idempotency-key": `${barcode}-0-${number}`,
      "content-type": "image/png",
      "repr-digest": reprDigest(png),
      store: "t/floor/s/floor",
    },
    body: png,
  });
  await body.dump();
  if (statusCode !== 202) throw new Error(`the label server answered ${statusCode} for ${barcode}`);
}
