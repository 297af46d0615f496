import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type ChildBounds, createChild } from "../../runtime/thread/child.ts";
import { ThreadError } from "../../runtime/thread/thread.ts";
import type { Asset } from "../../schemas/asset.ts";
import type { ImageFile } from "../../schemas/image-file.ts";
import type { ReadFont } from "../thread/read-font.ts";
import type { DrawnPages, PageDrawingOrder } from "./draw-pages.ts";

/** An asset as it was sent. */
export interface AssetOrder {
  file: Uint8Array;
  mediaType: Asset["mediaType"];
}

/** What designs draw of an asset, or why it cannot be decoded. */
export type AssetAnswer = { image: ImageFile } | { font: ReadFont } | { failed: string };

export type DecodingOrder = { asset: AssetOrder } | { page: PageDrawingOrder };
export type DecodingAnswer = AssetAnswer | { pages: DrawnPages };

export interface Decoding {
  /** Decodes an asset; one that exceeds the limits has failed. */
  decodeAsset(order: AssetOrder): Promise<AssetAnswer>;
  /** Decodes an upload and draws its pictures. Throws if it cannot be decoded. */
  drawPages(order: PageDrawingOrder): Promise<DrawnPages>;
}

/**
 * Limits of one file. The largest upload that is accepted, 4096 x 4096 pixels, takes some seconds of processor time and, as a JPEG of
 * four inks, 800 MB. The worker's own process takes up to 200 MB beside that.
 */
export const decodingBounds: ChildBounds = {
  processorMs: 20_000,
  timeoutMs: 30_000,
  idleMs: 5_000,
  memoryMb: 512,
  wasmMb: 256,
  residentMb: 900,
};

/** Files that ended their process or thread: how many are remembered, and for how long they are not decoded, in milliseconds. */
const POISONED = { max: 1000, ttl: 3_600_000 };

/**
 * Decodes what callers sent, one file at a time, in a process of its own with limits of time and memory. A file that exceeded
 * them is known by its hash, and refused without another try for a while.
 */
export function createDecoding(bounds = decodingBounds): Decoding {
  const run = createChild<DecodingOrder, DecodingAnswer>(new URL("./decoding-thread.ts", import.meta.url), bounds);
  const poisoned = new LRUCache<string, string>(POISONED);

  async function decode(order: DecodingOrder): Promise<DecodingAnswer> {
    const { file } = "page" in order ? order.page : order.asset;
    const hash = createHash("sha256").update(file).digest("hex");
    const known = poisoned.get(hash);
    if (known !== undefined) return { failed: known };
    try {
      return await run(order);
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error;
      poisoned.set(hash, error.message);
      return { failed: error.message };
    }
  }

  return {
    async decodeAsset(asset) {
      const answer = await decode({ asset });
      if ("pages" in answer) throw new Error("an asset was answered with pages");
      return answer;
    },
    async drawPages(page) {
      const answer = await decode({ page });
      if ("failed" in answer) throw new Error(answer.failed);
      if (!("pages" in answer)) throw new Error("a page was answered with an asset");
      return answer.pages;
    },
  };
}
