/** Background work: no caller waits for it, but a process completes it before closing its connections. */
export interface Background {
  /** Adds a promise, and returns it. The caller handles its errors. */
  add<T>(work: Promise<T>): Promise<T>;
  /** Resolves once no work is under way, including work that other work has added. */
  finished(): Promise<void>;
}

export function createBackground(): Background {
  const running = new Set<Promise<unknown>>();
  return {
    add(work) {
      const forget = () => void running.delete(work);
      running.add(work);
      work.then(forget, forget);
      return work;
    },
    async finished() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
