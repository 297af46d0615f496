import type { Air } from "./scenario.ts";

const SECOND_MS = 1_000;

/**
 * Returns how long pictures take from now until they are on their labels. A transceiver sends one picture after another, so each
 * picture waits for earlier pictures.
 */
export function createAirTime({ pictureMs = 0, bytesPerSecond }: Air, clock: () => number) {
  const busyUntil = new Map<string, number>();
  return (transceiver: string, bytes: number): number => {
    const ownMs = pictureMs + (bytesPerSecond === undefined ? 0 : (bytes * SECOND_MS) / bytesPerSecond);
    const end = Math.max(clock(), busyUntil.get(transceiver) ?? 0) + ownMs;
    busyUntil.set(transceiver, end);
    return Math.round(end - clock());
  };
}
