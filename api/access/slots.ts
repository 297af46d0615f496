/** Thrown where too much waits already. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/** Lets `atOnce` works go on at one time and `waiting` ones wait for their turn; one more is refused. */
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
      // The place goes to whoever waits longest, or is free again.
      const next = turns.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
