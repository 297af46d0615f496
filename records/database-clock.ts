import type { Db } from "mongodb";

/** The time by the database's clock, without a query per call. */
export interface DatabaseClock {
  /**
   * Returns the time in the database's last response plus the milliseconds that have passed since by this process's clock.
   * Before the first response, it is the process's own time. Dates from all processes are comparable, even if their clocks
   * differ.
   */
  now(): Date;
  /** Asks the database for its time; resolves once the response is in use. */
  synchronize(): Promise<void>;
}

/** In this time, two clocks drift apart by one millisecond, or a few at worst. */
const REFRESH_MS = 30_000;

/** `clock`: milliseconds that only grow. A call whose cached time is old refreshes it in the background. */
export function openDatabaseClock(
  db: Pick<Db, "command">,
  processNow: () => Date,
  clock: () => number,
  onError: (error: Error) => void,
): DatabaseClock {
  let known: { time: number; at: number } | undefined;
  let asking: Promise<void> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  async function ask(): Promise<void> {
    const began = clock();
    const { localTime } = await db.command({ isMaster: 1 });
    const ended = clock();
    known = { time: localTime.getTime(), at: (began + ended) / 2 };
  }

  function synchronize(): Promise<void> {
    askedAt = clock();
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    synchronize,
    now() {
      // The next read waits for its interval even after a failure; until then, the last response is used.
      if (clock() - askedAt >= REFRESH_MS) void synchronize().catch(onError);
      return known === undefined ? processNow() : new Date(Math.round(known.time + clock() - known.at));
    },
  };
}
