/** Thrown where the waiting queue is full. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/** Runs at most `atOnce` tasks concurrently and lets `waiting` more wait, first in first out; a further one throws BusyError. */
export function createSlots(atOnce: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  const turns: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running += 1;
    else if (turns.length < waiting) await new Promise<void>((go) => turns.push(go));
    else throw new BusyError(`${turns.length} wait already`);
    try {
      return await work();
    } finally {
      // The slot goes to the task that has waited longest, or is free again.
      const next = turns.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
