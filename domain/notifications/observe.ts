import { MAX_ENTRIES, type Notification, type NotificationEntry, type OpenState } from "../../schemas/notification.ts";

/** A lasting state, as it is now. */
export type StateNow = Pick<NotificationEntry, "id" | "kind" | "store" | "minutes" | "request" | "trouble"> & {
  since: Date;
  count?: number;
};

/** What a person could be notified about now. */
export interface Observed {
  /** The watched places (`placeOf` of a kind and a store). States of other places are forgotten. */
  watched: ReadonlySet<string>;
  /** The watched places whose states are known now. A state that is missing there is over. */
  known: ReadonlySet<string>;
  /**
   * Ids of states in known places that are nevertheless unknown, such as the state of one of several label servers. They are
   * not over.
   */
  unknown?: ReadonlySet<string>;
  states: readonly StateNow[];
  happened: readonly NotificationEntry[];
}

export const placeOf = ({ kind, store }: Pick<NotificationEntry, "kind" | "store">): string => `${kind} ${store}`;

/** A state is reported again once its count has grown by this factor and by at least this number. */
const GROWTH = { factor: 2, least: 10 };
/** If a count falls to its level divided by this number, its growth is measured from there. */
const FALL = 10;

/**
 * Returns a person's notifications after an observation. New states, ended states and events are collected. A lasting state is
 * collected once, and again only if it becomes much worse. A state that ends before anybody was notified is dropped.
 */
export function observe<Body extends Pick<Notification, "open" | "collected" | "left">>(
  present: Body,
  { watched, known, unknown, states, happened }: Observed,
  now: Date,
): Body {
  const isWatched = (one: Pick<NotificationEntry, "kind" | "store">) => watched.has(placeOf(one));
  const stateOf = new Map(states.filter(isWatched).map((state) => [state.id, state]));
  const collected = present.collected.filter(isWatched);
  const open: OpenState[] = [];
  const ended: NotificationEntry[] = [];
  for (const one of present.open.filter(isWatched)) {
    const state = stateOf.get(one.id);
    if (state !== undefined || !known.has(placeOf(one)) || unknown?.has(one.id)) open.push(one);
    else if (!collected.some(({ id, event }) => id === one.id && event === "BEGUN")) ended.push(overOf(one, now));
  }
  const endedIds = new Set(present.open.map(({ id }) => id).filter((id) => !open.some((one) => one.id === id)));
  const kept = collected.filter(({ id, event }) => event !== "BEGUN" || !endedIds.has(id));
  const byId = new Map(open.map((one) => [one.id, one]));
  const begun: NotificationEntry[] = [];
  for (const state of stateOf.values()) {
    const known = byId.get(state.id);
    const level = levelOf(known, state.count ?? 1);
    byId.set(state.id, {
      id: state.id,
      kind: state.kind,
      store: state.store,
      since: known?.since ?? state.since,
      level,
    });
    if (known === undefined || level > known.level) begun.push({ ...state, event: "BEGUN", at: now });
  }
  const told = new Set(kept.map(entryKey));
  const fresh = [...begun, ...ended.filter(isTold), ...happened.filter(isWatched)];
  const replaced = kept.map((one) => fresh.find((other) => entryKey(other) === entryKey(one)) ?? one);
  const added = fresh.filter((one) => !told.has(entryKey(one)));
  const all = [...replaced, ...added];
  return {
    ...present,
    open: [...byId.values()],
    collected: all.slice(0, MAX_ENTRIES),
    left: all.length === 0 ? 0 : present.left + Math.max(0, all.length - MAX_ENTRIES),
  };
}

const entryKey = ({ id, event }: NotificationEntry): string => `${event} ${id}`;

/** The end of a hold is not reported: the people who decide already know it. */
const isTold = ({ kind }: NotificationEntry): boolean => kind !== "HELD";

const overOf = ({ id, kind, store, since }: OpenState, at: Date): NotificationEntry => ({
  ...{ id, kind, store, since, at },
  event: "OVER",
});

/** Returns the count to report for a state. It rises if the state is much worse, and falls if it is much better. */
function levelOf(known: OpenState | undefined, count: number): number {
  if (known === undefined) return count;
  const isWorse = count >= known.level * GROWTH.factor && count >= known.level + GROWTH.least;
  return isWorse || count * FALL <= known.level ? Math.max(1, count) : known.level;
}
