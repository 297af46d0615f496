import { MongoError } from "mongodb";
import { codesOf } from "./retryable-codes.ts";

/** Why a server refuses operations until an operator intervenes: its disk is full, or the user lacks the privilege. */
export type Refusal = "full" | "denied";

const byCode: Readonly<Record<number, Refusal>> = {
  13: "denied",
  18: "denied",
  14031: "full",
};

/** The code of all errors from Atlas itself; the message states the reason. */
const ATLAS_CODE = 8_000;

/**
 * Classifies an error, or one of the writes of a batch, by its code. Messages may quote a caller's text, except Atlas's
 * messages.
 */
export const refusalOf = (error: Error): Refusal | undefined =>
  error instanceof MongoError
    ? codesOf(error)
        .map(refusalByCode)
        .find((refusal) => refusal !== undefined)
    : undefined;

function refusalByCode({ code, text }: { code: number; text: string }): Refusal | undefined {
  if (code !== ATLAS_CODE) return byCode[code];
  return /space quota/i.test(text) ? "full" : /auth|not allowed/i.test(text) ? "denied" : undefined;
}
