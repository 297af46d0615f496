import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";
import { within } from "../../records/client.ts";
import type { Held, IdempotencyKeys, KeptAnswer } from "../../records/leases/idempotency-keys.ts";
import type { Run } from "../../records/requests/accept-once.ts";
import { callKey } from "../../schemas/keys.ts";
import { ProblemError, problems } from "./problem-error.ts";
import type { WrittenAnswer } from "./write-answer.ts";

/** A call that carries an Idempotency-Key. */
export interface KeyedCall {
  store: string;
  /** For whom the token was issued: who gets a new token stays the same caller. */
  subject: string;
  key: string;
  /** What is asked for: the method, the path with its query, and the body. */
  asked: readonly string[];
}

export interface Idempotency {
  /** The run that the present call is part of. */
  currentRun(): Run | undefined;
  /** Performs a call, or answers it as it was answered before. */
  once(call: KeyedCall, perform: () => Promise<WrittenAnswer>): Promise<WrittenAnswer>;
}

const RENEW_MS = 2_000;
/** With the journal's own time this stays below the three seconds in which a caller must be told. */
const TAKE_WITHIN_MS = 900;

/**
 * Makes writes that carry a key happen once. What is under way is known to whatever journals for it without being handed
 * on (an asynchronous context): no operation can forget it.
 */
export function createIdempotency(keys: IdempotencyKeys, onError: (error: Error) => void): Idempotency {
  const runs = new AsyncLocalStorage<Run>();
  /** Of the later steps of a call with a key: where one fails the answer stands, and a repetition finds what was done in the journal. */
  const quietly = (step: Promise<void>) => within(TAKE_WITHIN_MS, step).catch(onError);

  async function perform(held: Held, work: () => Promise<WrittenAnswer>): Promise<WrittenAnswer> {
    const run: Run = { name: held.run, requests: 0, isRepeated: held.isRepeated, isFound: false };
    const renewing = setInterval(() => quietly(keys.hold(held)), RENEW_MS);
    try {
      const answer = await runs.run(run, work);
      await quietly(keys.answer(held, keptOf(answer)));
      return run.isFound ? replayed(answer) : answer;
    } catch (error) {
      // After a failure the journal may hold the request: only a refusal for what the call says leaves no trace.
      const isRefusal = error instanceof ProblemError && problems[error.problem].status < 500;
      await quietly(isRefusal && !run.isFound ? keys.free(held) : keys.leave(held));
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  return {
    currentRun: () => runs.getStore(),
    async once({ store, subject, key, asked }, work) {
      const taken = await within(TAKE_WITHIN_MS, keys.take(callKey(store, digest([subject, key])), digest(asked)));
      switch (taken.is) {
        case "ours":
          return perform(taken.held, work);
        case "answered":
          return replayed(taken.answer);
        case "another call":
          throw new ProblemError("idempotency-key-reused", `The key "${key}" was sent with another call.`);
        case "running":
          throw new ProblemError("idempotency-key-in-use", `The first call with the key "${key}" is not over yet.`, {
            headers: { "retry-after": String(Math.max(1, Math.ceil(taken.milliseconds / 1000))) },
          });
      }
    },
  };
}

const replayed = (answer: WrittenAnswer): WrittenAnswer => ({
  ...answer,
  headers: { ...answer.headers, "idempotency-replayed": "true" },
});

function keptOf({ body, ...head }: WrittenAnswer): KeptAnswer {
  if (body === undefined) return head;
  if (typeof body !== "string") throw new TypeError("the answer to a write is a text");
  return { ...head, body };
}

/** JSON keeps the parts apart whatever they hold. */
const digest = (parts: readonly string[]): string => hash("sha256", JSON.stringify(parts), "base64url");
