/** Notices that a label server has restarted, by the id of its run. */
export interface Boots {
  /** Records the id in a response or a report. */
  note(bootId: string): void;
  /** The time, by the clock, of the last noticed restart; undefined if none was noticed. */
  restartedAt(): number | undefined;
}

/**
 * Number of ids that are remembered, since late reports contain earlier ids, and the processes of one label server may have
 * different ids.
 */
const KNOWN_BOOTS = 8;
/**
 * Minimum time between two restarts: a label server that sends a different id in every response does not restart that often.
 */
const LEAST_RUN_MS = 30_000;

export function createBoots(clock: () => number): Boots {
  const known: string[] = [];
  let restartedAt: number | undefined;
  return {
    restartedAt: () => restartedAt,
    note(bootId) {
      if (known.includes(bootId)) return;
      const isFirst = known.length === 0;
      known.push(bootId);
      if (known.length > KNOWN_BOOTS) known.shift();
      if (isFirst || clock() - (restartedAt ?? Number.NEGATIVE_INFINITY) < LEAST_RUN_MS) return;
      restartedAt = clock();
    },
  };
}
