/** Notices that a label server has restarted, by the id of its run. */
export interface Boots {
  /** Notes the id that an answer or a report carries. */
  note(bootId: string): void;
  /** By the clock, when an id came that was not known; undefined if only one is known. */
  restartedAt(): number | undefined;
}

/** Late reports carry earlier ids, and the processes of one label server may have different ones. */
const KNOWN_BOOTS = 8;
/** A label server whose every answer has another id does not restart that often. */
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
