import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "koa";
import { entityTag } from "../entity-tag.ts";
import { sendTagged } from "./write-answer.ts";

/** Compresses content for each encoding, in zlib's threads. */
export interface Packers {
  br(bytes: Buffer): Promise<Buffer>;
  gzip(bytes: Buffer): Promise<Buffer>;
}

/** Near the best ratio, at a fraction of the highest level's time. */
const BROTLI_LEVEL = 9;
const [brotli, gunzippable] = [promisify(brotliCompress), promisify(gzip)];
export const zlibPackers: Packers = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL } }),
  gzip: (bytes) => gunzippable(bytes),
};

/** Smaller content is sent uncompressed. */
const MIN_PACKED_BYTES = 1024;
/** Every response must be requested again with its tag, so that a release is visible immediately. */
const CACHE_CONTROL = "no-cache";

interface StaticContent {
  read(): Promise<string | Buffer>;
  type: string;
  /** Headers of each response. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * Responds with content that does not change during the life of the process. It is read at the first request, compressed
 * at the first request for each encoding, and never again. Each form has its own strong tag.
 */
export function staticAnswer(
  { read, type, headers = {} }: StaticContent,
  packers: Packers = zlibPackers,
): (context: Context) => Promise<void> {
  const makePlain = once(async () => tagged(Buffer.from(await read())));
  const makePacked = {
    br: once(async () => tagged(await packers.br((await makePlain()).body))),
    gzip: once(async () => tagged(await packers.gzip((await makePlain()).body))),
  };
  const isPackable = !type.startsWith("image/");
  return async (context) => {
    const plain = await makePlain();
    // A compressor downstream must not compress the content again.
    context.compress = false;
    const canBePacked = isPackable && plain.body.length >= MIN_PACKED_BYTES;
    const encoding = canBePacked ? context.acceptsEncodings("br", "gzip", "identity") : "identity";
    const isPacked = encoding === "br" || encoding === "gzip";
    const { body, tag } = isPacked ? await makePacked[encoding]() : plain;
    context.set(headers);
    if (canBePacked) context.vary("Accept-Encoding");
    sendTagged(context, { status: 200, headers: {}, type, body }, { tag, cacheControl: CACHE_CONTROL });
    if (isPacked && context.status !== 304) context.set("content-encoding", encoding);
  };
}

const tagged = (body: Buffer) => ({ body, tag: entityTag(body) });

/** Computes a value at the first call, and again only if that attempt failed. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
