import type { Middleware } from "koa";
import { ProblemError } from "../http/problem-error.ts";

/**
 * Maximum size of a call's headers, each counted as a line with a name, a colon, a space, a value and a line ending. The
 * request line is not included.
 */
export const MAX_HEADERS_BYTES = 16 * 2 ** 10;
const BYTES_PER_LINE = 4;

/** Refuses a call with too many bytes of headers. Node itself refuses too many headers. */
export const checkHeaders: Middleware = ({ req: { rawHeaders } }, next) => {
  const ofLines = (rawHeaders.length / 2) * BYTES_PER_LINE;
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length, ofLines);
  if (bytes > MAX_HEADERS_BYTES) {
    const detail = `The headers are ${bytes} bytes, more than the maximum of ${MAX_HEADERS_BYTES / 2 ** 10} KiB.`;
    throw new ProblemError("headers-too-large", detail, { headers: { connection: "close" } });
  }
  return next();
};
