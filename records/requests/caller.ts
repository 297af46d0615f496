import { UnavailableError } from "../client.ts";
import type { JournaledChunk } from "./chunks.ts";

/** A caller that waits for the confirmation of its request. */
export interface Caller {
  readonly confirmed: Promise<JournaledChunk[]>;
  /** When it is refused, by the clock of the process. */
  readonly deadline: number;
  /** False once it has its response, or its deadline has passed. */
  isWaiting(): boolean;
  /** Grants it the full time again, for the next step of its request; in total it waits no longer than `latestMs`. */
  extend(): void;
  resolve(chunks: JournaledChunk[]): void;
  reject(error: Error): void;
}

/** Opens a caller, which is refused if `timeoutMs` pass without a response or an extension. */
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
