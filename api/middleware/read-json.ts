import type { Middleware } from "koa";
import { koaBody } from "koa-body";
import { ProblemError } from "../problem-error.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON body of at most `limit` bytes, unpacked, into `request.body`; an absent one is undefined. The bytes
 * are taken as they came (Latin-1 keeps each), so that a body which is not UTF-8 is refused instead of garbled, and a
 * property may have any name.
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
  return [requireJson, readBytes, parseBody];
}

/** A body of another type would be read as none, and the caller told something misleading. */
const requireJson: Middleware = async (context, next) => {
  const isJson = context.is("json") !== false;
  const charset = context.request.charset.toLowerCase();
  if (!isJson || (charset !== "" && charset !== "utf-8" && charset !== "utf8")) {
    throw new ProblemError(
      "unsupported-media-type",
      `Send application/json in UTF-8, not "${context.get("content-type")}".`,
    );
  }
  await next();
};

const parseBody: Middleware = async (context, next) => {
  const text = decode(Buffer.from((context.request.body as string | undefined) ?? "", "latin1"));
  try {
    context.request.body = text.trim() === "" ? undefined : JSON.parse(text);
  } catch (error) {
    throw new ProblemError("malformed-body", `The body is not JSON: ${(error as Error).message}`);
  }
  await next();
};

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ProblemError("malformed-body", "The body is not UTF-8.");
  }
}
