import { createThread, ThreadError } from "../../../queues/worker/thread.ts";
import type { ImageFile } from "../../../records/files/image-files.ts";
import type { ImageOrder } from "./decode-image.ts";

/** Limits of decoding one image. The largest that are accepted take about a second. */
const BOUNDS = { processorMs: 10_000, timeoutMs: 30_000, idleMs: 5_000, memoryMb: 512 };

type Answer = { decoded: ImageFile } | { failed: string };

/** The picture of an image, or why there is none. */
export type DecodeImage = (order: ImageOrder) => Promise<ImageFile | { fault: string }>;

/** Decodes images in a thread of their own; one that exceeds the limits ends the thread, and has a fault. */
export function createAssetDecoding(bounds = BOUNDS): DecodeImage {
  const run = createThread<ImageOrder, Answer>(new URL("./asset-thread.ts", import.meta.url), bounds);
  return async (order) => {
    try {
      const answer = await run(order);
      return "failed" in answer ? { fault: answer.failed } : answer.decoded;
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error;
      return { fault: error.message };
    }
  };
}
