import { hash } from "node:crypto";
import type { Middleware } from "koa";
import { koaBody } from "koa-body";
import { countMembers, findDuplicate, shapeOfJson } from "../http/duplicate-fields.ts";
import { limits } from "../http/limits.ts";
import { ProblemError } from "../http/problem-error.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON body of at most `limit` bytes, counted after decompression, into `request.body`; an absent body is
 * undefined. koa-body decodes as Latin-1, which preserves every byte, so that invalid UTF-8 is refused here instead of
 * being replaced; and its JSON parser, which refuses `__proto__` as a name, is not used.
 */
export function readJson(limit: number): Middleware[] {
  const readBytes = koaBody({
    json: false,
    text: true,
    urlencoded: false,
    multipart: false,
    textTypes: ["json"],
    textLimit: limit,
    encoding: "latin1",
    parsedMethods: ["POST", "PUT", "PATCH", "DELETE"] as never,
  }) as Middleware;
  return [requireJson(limit), readBytes, parseBody];
}

/** Refuses other media types: koa-body would skip such a body, and the call would be refused as one without a body. */
function requireJson(limit: number): Middleware {
  return async (context, next) => {
    const length = Number(context.get("content-length"));
    // A body whose announced size is too large is refused before a byte of it is read.
    if (length > limit) throw bodyTooLarge(limit);
    const isEmpty = length === 0 && context.get("transfer-encoding") === "";
    const charset = context.request.charset.toLowerCase();
    const isUtf8 = charset === "" || charset === "utf-8" || charset === "utf8";
    if (!isEmpty && (context.is("json") === false || !isUtf8)) {
      throw new ProblemError(
        "unsupported-media-type",
        `Send application/json in UTF-8, not "${context.get("content-type")}".`,
      );
    }
    await next();
  };
}

const parseBody: Middleware = async (context, next) => {
  const bytes = Buffer.from((context.request.body as string | undefined) ?? "", "latin1");
  context.request.body = parse(bytes) as never;
  // Part of the call's fingerprint: the same Idempotency-Key with another body is a reused key.
  if (context.get("idempotency-key") !== "") context.state.bodyDigest = hash("sha256", bytes);
  await next();
};

export const bodyTooLarge = (limit: number) =>
  new ProblemError("body-too-large", `A body has at most ${limit / 2 ** 20} MiB here.`);

function parse(bytes: Buffer): unknown {
  const text = decode(bytes);
  if (text.trim() === "") return undefined;
  const { members, depth } = shapeOfJson(bytes);
  if (depth > limits.body.maxDepth)
    throw new ProblemError(
      "malformed-body",
      `The body is nested ${depth} levels deep; at most ${limits.body.maxDepth} are read.`,
    );
  const value = parseText(text);
  // Of two members with one name the intended value is unknown, and a wrong price is worse than a refused one.
  if (countMembers(value) !== members) {
    const pointer = findDuplicate(bytes) ?? "";
    const errors = [{ pointer, detail: "is named twice" }];
    throw new ProblemError("duplicate-field", "An object of the body names a field twice.", { errors });
  }
  return value;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProblemError("malformed-body", `The body is not JSON: ${(error as Error).message}`);
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ProblemError("malformed-body", "The body is not UTF-8.");
  }
}
