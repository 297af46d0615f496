import { Readable, Transform } from "node:stream";
import type { Middleware } from "koa";
import koaCompress from "koa-compress";

/** Below this a packed answer is hardly smaller. */
const MIN_BYTES = 1024;

/**
 * Packs answers as the caller likes best, brotli or gzip; lists are packed while they are written. What is packed
 * already (pictures) and what is tiny goes as it is.
 */
export function compress(): Middleware {
  const pack = koaCompress({ threshold: MIN_BYTES, zstd: false, deflate: false });
  return async (context, next) => {
    let source: unknown;
    await pack(context, async () => {
      await next();
      source = context.body;
      // A caller that refuses even what is not packed gets it all the same: there is nothing else.
      if (context.acceptsEncodings("br", "gzip", "identity") === false) context.compress = false;
    });
    const packed = context.body;
    if (packed === source) return;
    // A list that breaks off must end the answer: a pipe hands on everything but errors.
    if (source instanceof Readable && packed instanceof Transform)
      source.once("error", (error) => packed.destroy(error));
    // One strong tag stands for one sequence of bytes; packed it is another (RFC 9110, section 8.8.3).
    const { etag } = context.response.headers;
    if (typeof etag === "string") context.set("etag", `W/${etag}`);
  };
}
