import { answerOrders } from "../../runtime/thread/answer-orders.ts";
import type { DecodingAnswer, DecodingOrder } from "./decoding.ts";
import { decodingBounds } from "./decoding-bounds.ts";

/** The decoding thread takes one order at a time and responds with the decoded file, or the reason for a failure. */
answerOrders(async (order: DecodingOrder): Promise<DecodingAnswer> => {
  try {
    return await decode(order);
  } catch (error) {
    // After a trap, the memory of a WebAssembly module is in an unknown state. So the thread ends, and a new one replaces it.
    if (error instanceof Error && error.name === "RuntimeError")
      throw new Error(
        `it needs more than ${decodingBounds.wasmMb} MB of memory: use fewer and smaller patterns, filters and layers`,
      );
    // WebAssembly may throw a string.
    const failed = error instanceof Error ? error.message : String(error);
    return { failed };
  }
});

/** Loads only what an order needs, because a process often starts for a single file, without a cache of compiled code. */
async function decode(order: DecodingOrder): Promise<DecodingAnswer> {
  if ("page" in order) {
    const { drawPages } = await import("./draw-pages.ts");
    return { pages: await drawPages(order.page) };
  }
  if ("font" in order) {
    const { readFont } = await import("../thread/read-font.ts");
    return { font: readFont(order.font.file) };
  }
  const { decodeImage } = await import("./decode-image.ts");
  return { image: await decodeImage(order.image) };
}
