import { answerOrders } from "../../runtime/thread/answer-orders.ts";
import { isFontType } from "../../schemas/asset.ts";
import { readFont } from "../thread/read-font.ts";
import { decodeImage } from "./decode-image.ts";
import { type DecodingAnswer, type DecodingOrder, decodingBounds } from "./decoding.ts";
import { drawPages } from "./draw-pages.ts";

/** The decoding thread: takes one order at a time and answers with what it made of the file, or the reason of a failure. */
answerOrders(async (order: DecodingOrder): Promise<DecodingAnswer> => {
  try {
    return await decode(order);
  } catch (error) {
    // Behind a trap the memory of a WebAssembly module is in no known state: the thread ends, and a new one follows.
    if (error instanceof Error && error.name === "RuntimeError")
      throw new Error(
        `it needs more than ${decodingBounds.wasmMb} MB of memory: use fewer and smaller patterns, filters and layers`,
      );
    // What WebAssembly throws may be a text.
    const failed = error instanceof Error ? error.message : String(error);
    return { failed };
  }
});

async function decode(order: DecodingOrder): Promise<DecodingAnswer> {
  if ("page" in order) return { pages: await drawPages(order.page) };
  const { file, mediaType } = order.asset;
  return isFontType(mediaType) ? { font: readFont(file) } : { image: await decodeImage({ file, mediaType }) };
}
