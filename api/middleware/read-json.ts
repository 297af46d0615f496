import type { Context, Middleware } from "koa";
import type { BodyBudget, HeldBytes } from "../body/body-budget.ts";
import { bodyLimits } from "../body/body-limits.ts";
import type { GrowingBytes } from "../body/growing-bytes.ts";
import { digestOf, parseJson, parseWrittenJson } from "../body/parse-json.ts";
import { hasBody, readBytes } from "../body/read-bytes.ts";
import { ProblemError } from "../http/problem-error.ts";
import { asksForStrict } from "../tolerance/strict-form.ts";

/** Returns the owner to whose share of the budget a call's body is charged. */
export type OwnerOf = (context: Context) => string;

/**
 * Reads a JSON body of at most `limit` bytes, counted after decompression, into `request.body`; an absent body is
 * undefined. Its part of the budget is freed once the response is complete.
 */
export function readJson(limit: number, budget: BodyBudget, ownerOf: OwnerOf): Middleware[] {
  const readBody: Middleware = async (context, next) => {
    const held = budget.begin(ownerOf(context as Context));
    let read: GrowingBytes | undefined;
    try {
      const bounds = { most: limit, tooLarge: () => bodyTooLarge(limit), held };
      read = hasBody(context.req) ? await readBytes(context.req, bounds) : undefined;
      context.state.releaseBody = () => read?.release();
      await parseBody(context as Context, read?.whole() ?? Buffer.alloc(0), held);
      await next();
    } finally {
      read?.release();
      held.free();
    }
  };
  return [requireJson(limit), readBody];
}

/** Rejects other media types, and a body whose declared size is too large, before any byte of it is read. */
function requireJson(limit: number): Middleware {
  return async (context, next) => {
    if (Number(context.get("content-length")) > limit) throw bodyTooLarge(limit);
    const isEmpty = !hasBody(context.req);
    const charset = context.request.charset.toLowerCase();
    const isUtf8 = charset === "" || charset === "utf-8" || charset === "utf8";
    // Many clients send no content type with a JSON body.
    if (!isEmpty && context.get("content-type") === "" && !asksForStrict(context.get("prefer")))
      context.req.headers["content-type"] = "application/json";
    if (!isEmpty && (context.is("json") === false || !isUtf8)) {
      throw new ProblemError(
        "unsupported-media-type",
        `Send application/json in UTF-8, not "${context.get("content-type")}".`,
      );
    }
    await next();
  };
}

async function parseBody(context: Context, bytes: Buffer, held: HeldBytes): Promise<void> {
  const hold = (values: number) => held.add(values * bodyLimits.inWork.bytesPerValue);
  context.request.body = (await parseJson(bytes, bodyLimits.json, hold)) as typeof context.request.body;
  context.state.readWritten = () => parseWrittenJson(bytes, bodyLimits.json, hold);
  // Part of the call's fingerprint, so that the same Idempotency-Key with a different body counts as a reused key.
  if (context.get("idempotency-key") !== "") context.state.bodyDigest = await digestOf(bytes);
}

export const bodyTooLarge = (limit: number) =>
  new ProblemError("body-too-large", `The body is larger than the maximum of ${limit / 2 ** 20} MiB.`);
