import type { Db } from "mongodb";

/** The time by the database's clock, without a query for each call. */
export interface DatabaseClock {
  /**
   * Returns the time in the database's last precise response plus the milliseconds that this process's clock has counted since.
   * Before the first response, returns the process's own time. Dates from all processes are comparable, even if their clocks
   * differ.
   */
  now(): Date;
  /** Requests the database's time. Resolves once the response is in use; rejects if every response took too long. */
  synchronize(): Promise<void>;
}

/** Within this time, two clocks drift apart by one millisecond, or by a few at worst. */
const REFRESH_MS = 30_000;
/** A response's time may be off by half its round trip, and after an outage, commands may have waited for many seconds. */
const MAX_ROUND_TRIP_MS = 1_000;
/** Maximum number of consecutive requests to the database until a round trip is short enough. */
const MAX_TRIES = 3;

/** `clock` is monotonic, in milliseconds. A call whose cached time is old refreshes it in the background. */
export function openDatabaseClock(
  db: Pick<Db, "command">,
  processNow: () => Date,
  clock: () => number,
  onError: (error: Error) => void,
): DatabaseClock {
  let known: { time: number; at: number; roundTripMs: number } | undefined;
  let asking: Promise<void> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  /** Sends one request, and returns the duration of the round trip. An imprecise response never replaces a better response. */
  async function ask(): Promise<number> {
    const began = clock();
    const { localTime } = await db.command({ isMaster: 1 });
    const roundTripMs = clock() - began;
    if (roundTripMs <= Math.max(MAX_ROUND_TRIP_MS, known?.roundTripMs ?? Number.POSITIVE_INFINITY))
      known = { time: localTime.getTime(), at: began + roundTripMs / 2, roundTripMs };
    return roundTripMs;
  }

  async function askUntilPrecise(): Promise<void> {
    let roundTripMs = await ask();
    for (let tries = 1; roundTripMs > MAX_ROUND_TRIP_MS && tries < MAX_TRIES; tries += 1) roundTripMs = await ask();
    if (roundTripMs > MAX_ROUND_TRIP_MS)
      throw new Error(
        `the database took ${Math.round(roundTripMs)} ms to report its time, which must take at most ${MAX_ROUND_TRIP_MS} ms`,
      );
  }

  function synchronize(): Promise<void> {
    askedAt = clock();
    asking ??= askUntilPrecise().finally(() => {
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
