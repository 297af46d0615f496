import { Redis } from "ioredis";
import { Jimp } from "jimp";
import { BSON, MongoClient } from "mongodb";
import type { ItemPatch } from "../../../schemas/item.ts";
import type { DemoStack } from "../../demo/with-stack.ts";
import { storeAndShow, untilCompleted } from "./price-list.ts";
import { usageOf } from "./report.ts";

/** The number of glass-log entries whose size is measured. */
const ENTRIES = 1_000;
/** The largest image that a page accepts. */
const IMAGE_SIDE = 4096;
const UPLOADS = 3;
const BYTES_PER_MB = 2 ** 20;

/**
 * Prints the figures of docs/operations/scale.md about capacity that the formation does not cover: the peak memory of Redis while
 * a price list reaches its labels, the size of an entry in the glass log, and the memory of `pages` for the largest image.
 */
export async function benchCapacity(demo: DemoStack, items: readonly ItemPatch[], database: string): Promise<void> {
  const { stack, client } = demo;
  await storeAndShow(client, items, stack.emulator);
  const redis = new Redis(stack.redis.url);
  const [, peak] = /^used_memory_peak:(\d+)/m.exec(await redis.info("memory")) ?? [];
  redis.disconnect();
  say(`Redis: at most ${(Number(peak) / BYTES_PER_MB).toFixed(0)} MB while ${items.length} prices reach their labels`);

  const mongo = new MongoClient(stack.mongo.url);
  const entries = await mongo.db(database).collection("glass").find().limit(ENTRIES).toArray();
  await mongo.close();
  const bytes = entries.reduce((sum, entry) => sum + BSON.calculateObjectSize(entry), 0);
  say(`an entry of what a label showed: ${(bytes / entries.length).toFixed(0)} bytes`);

  const before = pagesOf(stack)?.peak ?? 0;
  await Promise.all(items.slice(0, UPLOADS).map(({ itemId }) => uploadLargest(demo, itemId)));
  const after = pagesOf(stack)?.peak ?? 0;
  say(
    `pages: at most ${before.toFixed(0)} MB, and ${after.toFixed(0)} MB with ${UPLOADS} images of ${IMAGE_SIDE} x ${IMAGE_SIDE} at once`,
  );
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const pagesOf = (stack: DemoStack["stack"]) => usageOf(stack).find(({ name }) => name === "pages");

async function uploadLargest({ client, base, token }: DemoStack, itemId: string): Promise<void> {
  const image = new Jimp({ width: IMAGE_SIDE, height: IMAGE_SIDE, color: 0xc02020ff });
  const body = new FormData();
  body.append("imageFile", new Blob([new Uint8Array(await image.getBuffer("image/jpeg"))]), "large.jpg");
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${base}/items/${encodeURIComponent(itemId)}/page/0`, { method: "POST", headers, body });
  if (answer.status !== 202) throw new Error(await answer.text());
  const { requestId } = (await answer.json()) as { requestId: number };
  await untilCompleted(() => client.itemsResult(requestId));
}
