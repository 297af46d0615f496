import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createChild } from "../../runtime/thread/child.ts";
import { isOwnFault } from "../../runtime/thread/thread.ts";
import { type Asset, imageLimits, isFontType } from "../../schemas/asset.ts";
import type { ImageFile } from "../../schemas/image-file.ts";
import type { ReadFont } from "../thread/read-font.ts";
import type { ImageOrder } from "./decode-image.ts";
import { decodingBounds } from "./decoding-bounds.ts";
import type { DrawnPages, PageDrawingOrder } from "./draw-pages.ts";

/** An uploaded asset. */
export interface AssetOrder {
  file: Uint8Array;
  mediaType: Asset["mediaType"];
}

/** The decoded form of an asset, or why it cannot be decoded. */
export type AssetAnswer = { image: ImageFile } | { font: ReadFont } | { failed: string };

export type DecodingOrder = { image: ImageOrder } | { font: { file: Uint8Array } } | { page: PageDrawingOrder };
export type DecodingAnswer = AssetAnswer | { pages: DrawnPages };

export interface Decoding {
  /** Decodes an asset. An asset that exceeds the limits counts as failed. Throws if there was not enough time on a busy machine. */
  decodeAsset(order: AssetOrder): Promise<AssetAnswer>;
  /** Decodes an upload and draws its pictures. Throws if it cannot be decoded. */
  drawPages(order: PageDrawingOrder): Promise<DrawnPages>;
}

/**
 * Files that ended their process or thread: how many are remembered, and for how many milliseconds they are not decoded again.
 */
const POISONED = { max: 1000, ttl: 3_600_000 };

/**
 * Decodes callers' files, one at a time, in a separate process with limits on time and memory. A file that exceeded them is
 * remembered by its hash and rejected for a while without another attempt.
 */
export function createDecoding(bounds = decodingBounds): Decoding {
  const run = createChild<DecodingOrder, DecodingAnswer>(new URL("./decoding-thread.ts", import.meta.url), bounds);
  const poisoned = new LRUCache<string, string>(POISONED);

  async function decode(order: DecodingOrder): Promise<DecodingAnswer> {
    const { file } = "page" in order ? order.page : "font" in order ? order.font : order.image;
    const hash = createHash("sha256").update(file).digest("hex");
    const known = poisoned.get(hash);
    if (known !== undefined) return { failed: known };
    try {
      return await run(order);
    } catch (error) {
      if (!isOwnFault(error)) throw error;
      poisoned.set(hash, error.message);
      return { failed: error.message };
    }
  }

  return {
    async decodeAsset({ file, mediaType }) {
      const answer = await decode(
        isFontType(mediaType)
          ? { font: { file } }
          : { image: { file, isSvg: mediaType === "image/svg+xml", maxSide: imageLimits.maxKeptSide } },
      );
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
