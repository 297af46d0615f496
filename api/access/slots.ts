import pLimit from "p-limit";

/** Thrown if the waiting queue is full. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/**
 * Runs at most `atOnce` tasks concurrently and lets `waiting` more wait, first in, first out; beyond that, throws
 * BusyError.
 */
export function createSlots(atOnce: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  const limit = pLimit(atOnce);
  return async (work) => {
    if (limit.activeCount >= atOnce && limit.pendingCount >= waiting)
      throw new BusyError(`${limit.pendingCount} tasks are already waiting`);
    return limit(work);
  };
}
