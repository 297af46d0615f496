import { createThread, ThreadError } from "../../../queues/worker/thread.ts";
import type { ImageFile } from "../../../records/files/image-files.ts";
import type { Asset } from "../../../schemas/asset.ts";
import type { ReadFont } from "../../renderer/thread/read-font.ts";

/** Limits of decoding one asset. The largest images that are accepted take about a second, and so do fonts. */
const BOUNDS = { processorMs: 10_000, timeoutMs: 30_000, idleMs: 5_000, memoryMb: 512 };

/** An asset as it was sent. */
export interface AssetOrder {
  file: Uint8Array;
  mediaType: Asset["mediaType"];
}

/** What designs draw of an asset, or why it cannot be decoded. */
export type AssetAnswer = { image: ImageFile } | { font: ReadFont } | { failed: string };

export type DecodeAsset = (order: AssetOrder) => Promise<AssetAnswer>;

/** Decodes assets in a thread of their own; one that exceeds the limits ends the thread, and has failed. */
export function createAssetDecoding(bounds = BOUNDS): DecodeAsset {
  const run = createThread<AssetOrder, AssetAnswer>(new URL("./asset-thread.ts", import.meta.url), bounds);
  return async (order) => {
    try {
      return await run(order);
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error;
      return { failed: error.message };
    }
  };
}
