import { MongoBulkWriteError, MongoServerError } from "mongodb";

/** Why a server refuses operations until an operator has done something: it has no space, or does not let its user do it. */
export type Refusal = "full" | "denied";

const byCode: Readonly<Record<number, Refusal>> = {
  13: "denied",
  18: "denied",
  14031: "full",
};

/** The one code of what Atlas itself refuses; the text says what. */
const ATLAS_CODE = 8_000;

/**
 * Which of them an error says, or one of the writes of a batch. By the code: a message may quote a caller's text, except
 * that of Atlas.
 */
export function refusalOf(error: Error): Refusal | undefined {
  const writes = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  const outer = error instanceof MongoServerError ? [{ code: error.code, text: error.message }] : [];
  const all = [...outer, ...writes.map(({ code, errmsg }) => ({ code, text: errmsg ?? "" }))];
  return all.map(refusalByCode).find((refusal) => refusal !== undefined);
}

function refusalByCode({ code, text }: { code?: unknown; text: string }): Refusal | undefined {
  if (code === ATLAS_CODE)
    return /space quota/i.test(text) ? "full" : /auth|not allowed/i.test(text) ? "denied" : undefined;
  return typeof code === "number" ? byCode[code] : undefined;
}
