import type { Middleware } from "koa";
import { koaBody } from "koa-body";
import { digestOf, parseJson, parseWrittenJson } from "../body/parse-json.ts";
import { limits } from "../http/limits.ts";
import { ProblemError } from "../http/problem-error.ts";
import { asksForStrict } from "../tolerance/tolerate.ts";

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
    // Many clients send none with a body in JSON.
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

const parseBody: Middleware = async (context, next) => {
  const bytes = Buffer.from((context.request.body as string | undefined) ?? "", "latin1");
  context.request.body = (await parseJson(bytes, limits.body)) as never;
  context.state.readWritten = () => parseWrittenJson(bytes, limits.body);
  // Part of the call's fingerprint: the same Idempotency-Key with another body is a reused key.
  if (context.get("idempotency-key") !== "") context.state.bodyDigest = await digestOf(bytes);
  await next();
};

export const bodyTooLarge = (limit: number) =>
  new ProblemError("body-too-large", `A body has at most ${limit / 2 ** 20} MiB here.`);
