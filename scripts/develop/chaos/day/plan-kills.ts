import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Fault, killsOf } from "../faults.ts";

const KILL_INTERVAL_MS = 20_000;

/**
 * Plans kills at equal intervals, each of a different process until all have had their turn, and one FLUSHALL in the middle of
 * the day.
 */
export function planKills(
  { web, workers, flush }: ReturnType<typeof killsOf>,
  seed: number,
  milliseconds: number,
): Fault[] {
  const random = xoroshiro128plus(seed);
  const faults: Fault[] = [{ at: milliseconds / 2, ...flush }];
  let left: Omit<Fault, "at">[] = [];
  for (let at = KILL_INTERVAL_MS; at < milliseconds; at += KILL_INTERVAL_MS) {
    if (left.length === 0) left = [web, ...workers];
    faults.push(...left.splice(uniformInt(random, 0, left.length - 1), 1).map((kill) => ({ at, ...kill })));
  }
  return faults.sort((one, other) => one.at - other.at);
}
