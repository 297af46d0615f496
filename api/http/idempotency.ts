import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";
import type { Held, IdempotencyKeys, KeptAnswer } from "../../records/leases/idempotency-keys.ts";
import { within } from "../../records/mongodb/unavailable.ts";
import type { Run } from "../../records/requests/accept-once.ts";
import { callKey } from "../../schemas/keys.ts";
import type { Permit } from "../access/verify-token.ts";
import type { WrittenAnswer } from "./answers/write-answer.ts";
import { ProblemError } from "./problem-error.ts";
import { problems } from "./problem-kinds.ts";

/** A call that carries an Idempotency-Key. */
export interface KeyedCall {
  store: string;
  /** The caller, as `callerParts` identifies it. */
  caller: readonly string[];
  key: string;
  /** Method, path, query and a digest of the body, which a repetition must match. */
  fingerprintParts: readonly string[];
}

export interface Idempotency {
  /** The run of the call that is performed in this asynchronous context; undefined outside a keyed call. */
  currentRun(): Run | undefined;
  /**
   * Performs a call, or replays its stored response. Throws a ProblemError if the key is in use or was used for a
   * different call.
   */
  once(call: KeyedCall, perform: () => Promise<WrittenAnswer>): Promise<WrittenAnswer>;
}

const RENEW_INTERVAL_MS = 2_000;
/** Together with the journal's own timeout, this keeps a 503 within three seconds while the database is unreachable. */
const STEP_TIMEOUT_MS = 900;

/**
 * Makes writes that carry an Idempotency-Key happen once. The journal finds the current run in the asynchronous context;
 * if it were an argument, an operation could forget to pass it on (docs/decisions/requests/idempotency.md).
 */
export function createIdempotency(
  keys: IdempotencyKeys,
  onError: (error: Error) => void,
  stepTimeoutMs = STEP_TIMEOUT_MS,
): Idempotency {
  const runs = new AsyncLocalStorage<Run>();
  /** Logs a failed step instead of failing the call: a repetition finds the journaled requests even if this step failed. */
  const awaitOrLog = (step: Promise<void>) => within(stepTimeoutMs, step).catch(onError);

  async function perform(held: Held, work: () => Promise<WrittenAnswer>): Promise<WrittenAnswer> {
    const run: Run = { name: held.run, requests: 0, isRepeated: held.isRepeated, isFound: false };
    const renewing = setInterval(() => awaitOrLog(keys.hold(held)), RENEW_INTERVAL_MS);
    try {
      const answer = await runs.run(run, work);
      await awaitOrLog(keys.answer(held, storedAnswerOf(answer)));
      return run.isFound ? replayed(answer) : answer;
    } catch (error) {
      // After a 5xx the journal may contain the request. Only a 4xx, which rejects the call's content, releases the key.
      const isRefusal = error instanceof ProblemError && problems[error.problem].status < 500;
      await awaitOrLog(isRefusal && !run.isFound ? keys.free(held) : keys.leave(held));
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  return {
    currentRun: () => runs.getStore(),
    async once({ store, caller, key, fingerprintParts }, work) {
      const taken = await within(
        stepTimeoutMs,
        keys.take(callKey(store, digest([...caller, key])), digest(fingerprintParts)),
      );
      switch (taken.is) {
        case "ours":
          return perform(taken.held, work);
        case "answered":
          return replayed(taken.answer);
        case "another call":
          throw new ProblemError("idempotency-key-reused", `The key "${key}" was used for a different request.`);
        case "running":
          throw new ProblemError(
            "idempotency-key-in-use",
            `The first request with the key "${key}" is still in progress.`,
            {
              headers: { "retry-after": String(Math.max(1, Math.ceil(taken.milliseconds / 1000))) },
            },
          );
      }
    },
  };
}

const replayed = (answer: WrittenAnswer): WrittenAnswer => ({
  ...answer,
  headers: { ...answer.headers, "idempotency-replayed": "true" },
});

function storedAnswerOf({ body: sent, keptBody, ...head }: WrittenAnswer): KeptAnswer {
  const body = keptBody ?? sent;
  if (body === undefined) return head;
  if (typeof body !== "string") throw new TypeError("a response can be stored only if its body is a string");
  return { ...head, body };
}

/**
 * Identifies the caller of a key by its subject, so that a new token with the same subject is the same caller. Without a
 * subject, the other claims follow an empty string, so that they cannot equal another token's subject. A person from the
 * identity provider is distinguished from the user with the same name.
 */
export const callerParts = ({
  subject,
  caller,
  isPerson,
}: Pick<Permit, "subject" | "caller" | "isPerson">): readonly string[] =>
  subject === undefined || isPerson ? ["", caller] : [subject];

/** Hashes the parts as a JSON array, so that two different lists of parts never produce the same text. */
const digest = (parts: readonly string[]): string => hash("sha256", JSON.stringify(parts), "base64url");
