import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";
import { ProblemError } from "../http/problem-error.ts";
import type { HeldBytes } from "./body-budget.ts";
import { createGrowingBytes, type GrowingBytes } from "./growing-bytes.ts";

/** Size of each decompressed part. Freed parts of this size are returned to the operating system; many small ones are not. */
const UNPACKED_BYTES = 2 ** 18;

interface Bounds {
  /** Maximum number of bytes after decompression. */
  most: number;
  /** The problem for a larger body. */
  tooLarge(): ProblemError;
  /** Counts each byte as it arrives. */
  held: HeldBytes;
  /** Time limit for the whole body in milliseconds; defaults to the connection's. */
  timeoutMs?: number;
}

/** Whether a request has a body, according to its headers (RFC 9112, section 6). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Reads and decompresses a body, which the caller must release. A body is rejected as soon as it exceeds a limit; the
 * rest is then neither kept nor decompressed.
 */
export async function readBytes(request: IncomingMessage, bounds: Bounds): Promise<GrowingBytes> {
  const { most, tooLarge, held, timeoutMs } = bounds;
  if (Number(request.headers["content-length"] ?? 0) > most) throw tooLarge();
  const source = unpacked(request);
  const taken = createGrowingBytes(most);
  let bytes = 0;
  const over = Promise.withResolvers<void>();
  const take = (part: Buffer) => {
    bytes += part.length;
    try {
      if (bytes > most) throw tooLarge();
      held.add(part.length);
      taken.add(part);
    } catch (error) {
      over.reject(error as Error);
      stop();
    }
  };
  // A complete request also emits "close", perhaps while its last bytes are still being decompressed.
  const broken = () =>
    request.complete || over.reject(new ProblemError("malformed-body", "The body ended prematurely."));
  const stop = () => {
    source.off("data", take);
    if (source === request) return;
    request.unpipe(source as Transform);
    source.on("error", () => {}).destroy();
  };
  const late = timeoutMs === undefined ? undefined : setTimeout(() => over.reject(lateFor(timeoutMs)), timeoutMs);
  source.on("data", take).once("end", over.resolve).once("error", over.reject);
  request.once("close", broken).once("error", broken);
  try {
    await over.promise;
    return taken;
  } catch (error) {
    taken.release();
    throw error;
  } finally {
    clearTimeout(late);
    stop();
    source.off("end", over.resolve).off("error", over.reject);
    request.off("close", broken).off("error", broken);
  }
}

const lateFor = (timeoutMs: number) =>
  new ProblemError("request-timeout", `The form was not received within ${timeoutMs / 1000} seconds.`, {
    headers: { connection: "close" },
  });

/** Returns a body's bytes, decompressed if they have a content encoding. */
function unpacked(request: IncomingMessage): Readable {
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  switch (encoding) {
    case "":
    case "identity":
      return request;
    case "gzip":
    case "deflate":
      return request.pipe(createUnzip({ chunkSize: UNPACKED_BYTES }));
    case "br":
      return request.pipe(createBrotliDecompress({ chunkSize: UNPACKED_BYTES }));
    default:
      throw new ProblemError(
        "unsupported-media-type",
        `The encoding "${encoding}" is not supported: use gzip, deflate or br, or send the body uncompressed.`,
      );
  }
}
