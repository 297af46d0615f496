import { parentPort } from "node:worker_threads";
import { decodeImage, type ImageOrder } from "./decode-image.ts";

/** The decoding thread: takes one image at a time and answers with its picture or with the reason of a failure. */
parentPort?.on("message", async (order: ImageOrder) => {
  try {
    parentPort?.postMessage({ decoded: await decodeImage(order) });
  } catch (error) {
    // What WebAssembly throws may be a text.
    parentPort?.postMessage({ failed: error instanceof Error ? error.message : String(error) });
  }
});
