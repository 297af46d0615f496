import type { Readable } from "node:stream";
import type { Context } from "koa";
import { entityTag, isKnown } from "../entity-tag.ts";
import type { Answer } from "../route.ts";

/** A response with its body serialised. */
export interface WrittenAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  type?: string;
  body?: string | Buffer | Readable;
  /** The body stored for repeated calls, if it differs from the body that is sent; it omits secrets. */
  keptBody?: string;
}

/** Serialises a response: a body without a `type` becomes JSON, even if it is a string. */
export function writeAnswer({ status, body, type, headers = {}, secretFields }: Answer): WrittenAnswer {
  if (body === undefined) return { status, headers };
  if (type === undefined) {
    const kept = secretFields && {
      keptBody: JSON.stringify(body, (field, value) => (secretFields.includes(field) ? undefined : value)),
    };
    return { status, headers, type: "application/json", body: JSON.stringify(body), ...kept };
  }
  return { status, headers, type, body: body as string | Buffer | Readable };
}

export function send(context: Context, { status, headers, type, body }: WrittenAnswer): void {
  context.status = status;
  context.set({ ...headers });
  if (type !== undefined) context.type = type;
  if (body !== undefined) context.body = body;
}

/** A response is private to its caller, and must be requested again with its tag before each use. */
const TAGGED_CACHE_CONTROL = "private, no-cache";

/** Sends a response with the ETag of its bytes, or 304 if If-None-Match contains that tag (RFC 9110, section 13.1.2). */
export function sendTagged(
  context: Context,
  answer: WrittenAnswer & { body: string | Buffer },
  { tag = entityTag(answer.body), cacheControl = TAGGED_CACHE_CONTROL } = {},
): void {
  // Koa's `fresh` ignores If-None-Match in combination with `Cache-Control: no-cache`, which `fetch` sends with it.
  const isUnchanged = isKnown(context.get("if-none-match"), tag);
  send(context, isUnchanged ? { status: 304, headers: {} } : answer);
  context.set({ etag: tag, "cache-control": cacheControl });
}
