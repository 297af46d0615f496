import type { Readable } from "node:stream";
import type { Context } from "koa";
import { entityTag, isKnown } from "./entity-tag.ts";
import type { Answer } from "./route.ts";

/** An answer as it goes over the wire. */
export interface WrittenAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  type?: string;
  body?: string | Buffer | Readable;
}

/** A body without a type of its own is JSON, a text too. */
export function writeAnswer({ status, body, type, headers = {} }: Answer): WrittenAnswer {
  if (body === undefined) return { status, headers };
  if (type === undefined) return { status, headers, type: "application/json", body: JSON.stringify(body) };
  return { status, headers, type, body: body as string | Buffer | Readable };
}

export function send(context: Context, { status, headers, type, body }: WrittenAnswer): void {
  context.status = status;
  context.set({ ...headers });
  if (type !== undefined) context.type = type;
  if (body !== undefined) context.body = body;
}

/** Tags an answer by its bytes, and sends none to a caller that names the tag: it has them (RFC 9110, section 13.1.2). */
export function sendTagged(context: Context, answer: WrittenAnswer & { body: string | Buffer }): void {
  const tag = entityTag(answer.body);
  const isUnchanged = isKnown(context.get("if-none-match"), tag);
  send(context, isUnchanged ? { status: 304, headers: {} } : answer);
  context.set({ etag: tag, "cache-control": "no-cache" });
}
