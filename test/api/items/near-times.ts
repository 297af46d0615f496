import { Temporal } from "temporal-polyfill";

/** Formats the local time `seconds` from now. UTC repeats no hour, so the local time is never ambiguous. */
export const inSeconds = (seconds: number, timeZone = "UTC"): string =>
  Temporal.Now.zonedDateTimeISO(timeZone)
    .add({ seconds })
    .toPlainDateTime()
    .toString({ smallestUnit: "second" })
    .replace("T", " ");

/**
 * Calls `act` with a time a few seconds ahead. If that time passes during the call, as it may on a slow machine, calls it again
 * with a later time; each turn needs its own ids.
 */
export async function inTime<T>(act: (validFrom: string, turn: number) => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    const validFrom = inSeconds(2 ** turn);
    const done = await act(validFrom, turn);
    if (inSeconds(0) < validFrom) return done;
  }
}
