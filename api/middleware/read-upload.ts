import { hash } from "node:crypto";
import type { Context, Middleware } from "koa";
import type { BodyBudget } from "../body/body-budget.ts";
import type { GrowingBytes } from "../body/growing-bytes.ts";
import { readBytes } from "../body/read-bytes.ts";
import type { CountUpload } from "../body/upload-rate.ts";
import { boundaryOf, FormFault, type Part, parseForm } from "../http/multipart.ts";
import { ProblemError } from "../http/problem-error.ts";
import type { OwnerOf } from "./read-json.ts";

interface Bounds {
  /** Maximum size of the file in bytes. */
  limit: number;
  /** Time limit for the whole body, in milliseconds. */
  within: number;
  budget: BodyBudget;
  ownerOf: OwnerOf;
  countUpload: CountUpload;
}

/** Allowance for a form's boundaries, headers and other fields, in bytes. */
const FORM_BYTES = 2 ** 16;

/**
 * Reads the one file of a multipart form into `state.upload`. The body stays in memory and is never written to disk. It is
 * refused with 413 as soon as it exceeds the limit, and with 408 when the time is up.
 */
export function readUpload(field: string, { limit, within, budget, ownerOf, countUpload }: Bounds): Middleware {
  return async (context, next) => {
    const boundary = boundaryOf(context.get("content-type"));
    if (boundary === undefined) {
      throw refused("", `is not a multipart form with a boundary, but "${context.get("content-type")}"`);
    }
    if (!/^(identity)?$/i.test(context.get("content-encoding")))
      throw new ProblemError("unsupported-media-type", "Send the form without a content encoding.");
    const owner = ownerOf(context as Context);
    const announced = Number(context.get("content-length"));
    if (announced > limit + FORM_BYTES) throw tooLarge(limit);
    if (announced > 0) await countUpload(owner, announced);
    const held = budget.begin(owner);
    let read: GrowingBytes | undefined;
    try {
      const bounds = { most: limit + FORM_BYTES, tooLarge: () => tooLarge(limit), held, timeoutMs: within };
      read = await readBytes(context.req, bounds);
      const body = read.whole();
      if (announced === 0) await countUpload(owner, body.length);
      // Counted once more, since the parts taken from the form are copies.
      held.add(body.length);
      const file = fileOf(await parse(body, boundary), field);
      if (file.length > limit) throw tooLarge(limit);
      context.state.upload = file;
      // Part of the call's fingerprint, so that the same Idempotency-Key with a different body counts as a reused key.
      if (context.get("idempotency-key") !== "") context.state.bodyDigest = hash("sha256", body);
      read.release();
      await next();
    } finally {
      read?.release();
      held.free();
    }
  };
}

const refused = (pointer: string, detail: string) =>
  new ProblemError("invalid-request", "The form is not valid.", { errors: [{ pointer, detail }] });

const tooLarge = (limit: number) =>
  new ProblemError("body-too-large", `The file is larger than the maximum of ${limit / 2 ** 20} MiB.`);

async function parse(body: Buffer, boundary: string): Promise<Part[]> {
  try {
    return await parseForm(body, boundary);
  } catch (error) {
    if (error instanceof FormFault) throw refused("", error.message);
    throw error;
  }
}

function fileOf(parts: readonly Part[], field: string): Buffer {
  const files = parts.filter(({ name, isFile }) => isFile || name === field);
  const [file] = files;
  if (file === undefined) throw refused(`/${field}`, "is missing: send the file in this form field");
  if (files.length > 1) throw refused(`/${field}`, `must be the only file, but the form has ${files.length}`);
  if (file.name !== field) throw refused(`/${file.name}`, `is not the field in which the file is expected: ${field}`);
  return file.content;
}
