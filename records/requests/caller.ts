import { UnavailableError } from "../mongodb/unavailable.ts";
import type { JournaledChunk } from "./chunks.ts";

/** A caller that waits for the confirmation of its request. */
export interface Caller {
  readonly confirmed: Promise<JournaledChunk[]>;
  /** The time, on the process's clock, at which the caller is rejected. */
  readonly deadline: number;
  /** False once the caller has a response or its deadline has passed. */
  isWaiting(): boolean;
  /** Restarts the time limit for the next step of the request; in total, the caller waits at most `latestMs`. */
  extend(): void;
  resolve(chunks: JournaledChunk[]): void;
  reject(error: Error): void;
}

/** Creates a caller that is rejected if `timeoutMs` pass without a response or an extension. */
export function openCaller(clock: () => number, timeoutMs: number, latestMs: number): Caller {
  const { promise, resolve, reject } = Promise.withResolvers<JournaledChunk[]>();
  const latest = clock() + latestMs;
  let deadline = 0;
  let isAnswered = false;
  let timer: NodeJS.Timeout | undefined;
  const isWaiting = () => !isAnswered && clock() <= deadline;
  const answer = (resolveOrReject: () => void) => {
    clearTimeout(timer);
    isAnswered = true;
    resolveOrReject();
  };
  const refuse = () => answer(() => reject(new UnavailableError(`no confirmation within ${timeoutMs} ms`)));
  const allow = () => {
    const now = clock();
    deadline = Math.min(now + timeoutMs, latest);
    clearTimeout(timer);
    timer = setTimeout(refuse, deadline - now);
  };

  allow();
  return {
    confirmed: promise,
    get deadline() {
      return deadline;
    },
    isWaiting,
    extend() {
      if (isWaiting()) allow();
    },
    resolve: (chunks) => answer(() => resolve(chunks)),
    reject: (error) => answer(() => reject(error)),
  };
}
