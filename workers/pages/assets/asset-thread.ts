import { parentPort } from "node:worker_threads";
import { isFontType } from "../../../schemas/asset.ts";
import { readFont } from "../../renderer/thread/read-font.ts";
import type { AssetAnswer, AssetOrder } from "./asset-decoding.ts";
import { decodeImage } from "./decode-image.ts";

/** The decoding thread: takes one asset at a time and answers with what designs draw of it, or the reason of a failure. */
parentPort?.on("message", async (order: AssetOrder) => {
  try {
    parentPort?.postMessage(await decode(order));
  } catch (error) {
    // What WebAssembly throws may be a text.
    parentPort?.postMessage({ failed: error instanceof Error ? error.message : String(error) } satisfies AssetAnswer);
  }
});

const decode = async ({ file, mediaType }: AssetOrder): Promise<AssetAnswer> =>
  isFontType(mediaType) ? { font: readFont(file) } : { image: await decodeImage({ file, mediaType }) };
