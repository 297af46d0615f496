import { hash } from "node:crypto";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { timeOfShare } from "./day.ts";

export type CallKind = "urgent" | "list" | "flash";

/** A call that is sent at its time, however long earlier calls take. */
export interface PlannedCall {
  kind: CallKind;
  /** Milliseconds after the start. */
  at: number;
  /** Index of the call's store. */
  store: number;
  /** Indexes of the labels whose pictures are timed: the changed label, a sample of the list's labels, or the flashed label. */
  labels: readonly number[];
  /** Whether the caller reads the result until it is complete. */
  isFollowed: boolean;
}

/** The properties of a day. */
export interface Day {
  seed: number;
  stores: number;
  /** Number of labels in each store. */
  labels: number;
  durationMs: number;
  /** Changes to single prices per millisecond, across all stores. */
  urgentPerMs: number;
  /** Whole lists per millisecond, for each store. */
  listsPerMs: number;
  /** Flashes per millisecond, across all stores. */
  flashesPerMs: number;
  /** Share of the urgent changes whose caller reads the result. */
  followedShare: number;
}

/** Number of a list's labels that are timed. Their histories are read afterwards, with one call each. */
const LABELS_PER_LIST = 20;

/**
 * Returns all calls of a day in order of time. Each store draws its own calls from the seed, its number and the kind. So the same
 * seed makes the same day, and an additional store changes nothing for the others.
 */
export function planCalls(day: Day): PlannedCall[] {
  const calls = Array.from({ length: day.stores }, (_, store) => [
    ...singleCalls(day, "urgent", store, day.urgentPerMs / day.stores),
    ...singleCalls(day, "flash", store, day.flashesPerMs / day.stores),
    ...lists(day, store),
  ]);
  return calls.flat().sort((one, other) => one.at - other.at || one.store - other.store);
}

/** A Poisson process whose rate follows the day: gaps are exponential in shares of the day's changes. */
function singleCalls(day: Day, kind: "urgent" | "flash", store: number, rate: number): PlannedCall[] {
  const random = randomOf(day.seed, kind, store);
  const expected = rate * day.durationMs;
  const calls: PlannedCall[] = [];
  const nextGap = () => -Math.log(1 - uniformFloat64(random)) / expected;
  for (let share = nextGap(); share < 1; share += nextGap()) {
    const label = uniformInt(random, 0, day.labels - 1);
    const isFollowed = uniformFloat64(random) < day.followedShare && kind === "urgent";
    calls.push({ kind, at: timeOfShare(share) * day.durationMs, store, labels: [label], isFollowed });
  }
  return calls;
}

/** Plans lists at equal intervals. Each store has its own time within the interval. */
function lists({ seed, labels, durationMs, listsPerMs: rate }: Day, store: number): PlannedCall[] {
  const random = randomOf(seed, "list", store);
  const interval = 1 / rate;
  const calls: PlannedCall[] = [];
  for (let at = uniformFloat64(random) * interval; at < durationMs; at += interval) {
    const drawn = Array.from({ length: LABELS_PER_LIST }, () => uniformInt(random, 0, labels - 1));
    calls.push({ kind: "list", at, store, labels: [...new Set(drawn)], isFollowed: true });
  }
  return calls;
}

const randomOf = (seed: number, kind: CallKind, store: number) =>
  xoroshiro128plus(hash("sha256", `${seed} ${kind} ${store}`, "buffer").readInt32LE());
