import { Readable, Transform } from "node:stream";
import type { Middleware } from "koa";
import koaCompress from "koa-compress";

/** Smaller responses gain nothing from compression. */
const MIN_BYTES = 1024;

/**
 * Compresses responses with brotli or gzip, as Accept-Encoding prefers; streams are compressed while they are written.
 * Pictures, which are already compressed, and responses below MIN_BYTES are sent uncompressed.
 */
export function compress(): Middleware {
  const packAnswer = koaCompress({ threshold: MIN_BYTES, zstd: false, deflate: false });
  return async (context, next) => {
    let source: unknown;
    await packAnswer(context, async () => {
      await next();
      source = context.body;
      // A caller that also refuses `identity` gets the uncompressed response: there is no other encoding to offer.
      if (context.acceptsEncodings("br", "gzip", "identity") === false) context.compress = false;
    });
    const packed = context.body;
    if (packed === source) return;
    // An error of the source must end the response explicitly, because `pipe` does not forward errors.
    if (source instanceof Readable && packed instanceof Transform)
      source.once("error", (error) => packed.destroy(error));
    // A strong tag names one sequence of bytes, and compression changes them (RFC 9110, section 8.8.3).
    const { etag } = context.response.headers;
    if (typeof etag === "string") context.set("etag", `W/${etag}`);
  };
}
