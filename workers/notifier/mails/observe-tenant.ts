import pLimit from "p-limit";
import type { Rights } from "../../../domain/access/may-grant.ts";
import { lateLabels } from "../../../domain/notifications/late-labels.ts";
import { collectMail, isRefused } from "../../../domain/notifications/mails.ts";
import { type Observed, observe, placeOf, type StateNow } from "../../../domain/notifications/observe.ts";
import { isSummed, lastMonday } from "../../../domain/notifications/weekly.ts";
import { watchedBy } from "../../../domain/notifications/who-is-notified.ts";
import type { Commit } from "../../../queues/changes/commit.ts";
import { notifications } from "../../../records/kinds/notifications.ts";
import type { Records } from "../../../records/records.ts";
import { storeKey, tenantIdOf } from "../../../schemas/keys.ts";
import type { Notification, NotificationEntry, NotificationKind } from "../../../schemas/notification.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { Failures, ReadFailures } from "./read-failures.ts";
import { type PresentStore, readRights, readStores } from "./read-people.ts";
import type { ReadStates } from "./read-states.ts";

export interface ObserveWorld {
  records: Records;
  commit: Commit;
  readStates: ReadStates;
  readFailures: ReadFailures;
  countBatteries(store: string, now: Date): Promise<number>;
  newId(): string;
  databaseNow(): Date;
}

/** What a round knows about a store; each part is read once, for everybody who watches it. */
interface StoreNow {
  late?: Date[];
  states: StateNow[];
  known: NotificationKind[];
  /** The ids of states that are unknown although their kind is `known`. */
  unknown: string[];
  failures: NotificationEntry[];
}

const CONCURRENT_STORES = 4;

/** One check of a tenant's people, who may be checked in several groups. */
export interface Round {
  /** Failures by store, collected for everybody before the cursor moves on. */
  failures: Map<string, Promise<Failures>>;
  /** False if another process has taken over the check. */
  goOn(): Promise<boolean>;
}

/**
 * A person who can receive e-mails. The list of what the person watches may be long, so it is computed on demand and not kept.
 */
interface Watcher {
  person: Stored<Notification>;
  watched(): { kind: NotificationKind; store: string }[];
  /** The Monday whose battery count is due; undefined if it is done. */
  monday: Date | undefined;
}

/**
 * Checks what a tenant's people watch, collects news for them, and makes e-mails from what is due. Ends early if another process
 * has taken over the check.
 */
export async function observeTenant(
  world: ObserveWorld,
  tenant: string,
  people: readonly Stored<Notification>[],
  round: Round,
): Promise<void> {
  const { records, databaseNow } = world;
  const now = databaseNow();
  const reached = people.filter((person) => person.address !== undefined && !isRefused(person));
  if (reached.length === 0) return;
  const [rights, stores] = await Promise.all([readRights(records, reached, now), readStores(records, tenant)]);
  const watchers = reached.map((person) => watcherOf(person, rights.get(person._id), stores, now));
  const byStore = new Map<string, StoreNow>();
  await pLimit(CONCURRENT_STORES).map([...kindsByStore(watchers)], async ([id, watch]) => {
    if (await round.goOn()) byStore.set(id, await readStore(world, tenant, id, stores.get(id), watch, now, round));
  });
  for (const watcher of watchers) {
    if (!(await round.goOn())) return;
    await collect(world, watcher, byStore, now);
  }
}

function watcherOf(
  person: Stored<Notification>,
  rights: Rights | undefined,
  stores: ReadonlyMap<string, PresentStore>,
  now: Date,
): Watcher {
  const watched = () => (rights ? watchedBy(person, rights, [...stores.keys()]) : []);
  const zone = stores.get(watched()[0]?.store ?? "")?.timeZone ?? "UTC";
  const monday = lastMonday(now, zone);
  return { person, watched, monday: isSummed(monday, person) ? undefined : monday };
}

/** Collects news for a person. */
async function collect(
  { commit, newId }: ObserveWorld,
  { person, watched, monday }: Watcher,
  byStore: ReadonlyMap<string, StoreNow>,
  now: Date,
): Promise<void> {
  const seen = observedBy(person, watched(), monday, byStore, now);
  const id = newId();
  const decide = (_: string, current: Stored<Notification> | undefined) => {
    // If the person has changed the choice in the meantime, or another process has checked the person, this is left to the next
    // round.
    const isSame = current?.since.getTime() === person.since.getTime();
    if (current === undefined || !isSame || current.batteriesAt?.getTime() !== person.batteriesAt?.getTime())
      return undefined;
    const observed = observe(current, seen, now);
    return collectMail({ ...observed, ...(monday && { batteriesAt: monday }) }, id, now);
  };
  await commit.change(notifications, [person._id], decide, "bulk");
}

/** What people watch in a store, and the earliest time from which any of them is to be notified of failures. */
interface Watch {
  kinds: Set<NotificationKind>;
  since: Date;
}

/** Returns what people watch in each store; batteries are included only if their count is due for one of the watchers. */
function kindsByStore(watchers: readonly Watcher[]): Map<string, Watch> {
  const byStore = new Map<string, Watch>();
  for (const { person, watched, monday } of watchers)
    for (const { kind, store } of watched()) {
      if (kind === "BATTERIES" && monday === undefined) continue;
      const watch = byStore.get(store) ?? { kinds: new Set(), since: person.since };
      watch.kinds.add(kind);
      if (person.since < watch.since) watch.since = person.since;
      byStore.set(store, watch);
    }
  return byStore;
}

async function readStore(
  { readStates, readFailures, countBatteries }: ObserveWorld,
  tenant: string,
  storeId: string,
  present: PresentStore | undefined,
  { kinds, since }: Watch,
  now: Date,
  { failures }: Round,
): Promise<StoreNow> {
  const tenantId = tenantIdOf(tenant);
  const store = { tenantId, storeId, labelServers: present?.labelServers ?? [] };
  const found: StoreNow = { states: [], known: [], unknown: [], failures: [] };
  const add = (kind: NotificationKind, states: readonly StateNow[] | undefined) => {
    if (states === undefined) return;
    found.known.push(kind);
    found.states.push(...states);
  };
  if (kinds.has("LATE_LABELS")) found.late = await readStates.lateLabels(store, now);
  if (kinds.has("LABEL_SERVER")) {
    const servers = await readStates.labelServers(store, now);
    add("LABEL_SERVER", servers?.states);
    found.unknown.push(...(servers?.unknown ?? []));
  }
  if (kinds.has("HELD")) add("HELD", await readStates.held(store));
  if (kinds.has("FAILED_LIST")) {
    const looked = failures.get(storeId) ?? readFailures.find(storeKey(tenantId, storeId), storeId, since);
    failures.set(storeId, looked);
    found.failures.push(...(await looked).failures);
  }
  if (kinds.has("BATTERIES")) {
    const count = await countBatteries(storeKey(tenantId, storeId), now);
    const id = `batteries ${storeId} ${now.getTime()}`;
    if (count > 0) found.failures.push({ id, kind: "BATTERIES", store: storeId, event: "HAPPENED", at: now, count });
  }
  return found;
}

/** Returns what is known for one person. */
function observedBy(
  { lateMinutes, since }: Notification,
  watched: ReturnType<Watcher["watched"]>,
  monday: Date | undefined,
  byStore: ReadonlyMap<string, StoreNow>,
  now: Date,
): Observed {
  const places = new Set(watched.map(placeOf));
  const known = new Set<string>();
  const unknown = new Set<string>();
  const states: StateNow[] = [];
  const happened: NotificationEntry[] = [];
  for (const store of new Set(watched.map(({ store }) => store))) {
    const one = byStore.get(store);
    if (one === undefined) continue;
    for (const kind of one.known) known.add(placeOf({ kind, store }));
    for (const id of one.unknown) unknown.add(id);
    states.push(...one.states);
    if (one.late) {
      known.add(placeOf({ kind: "LATE_LABELS", store }));
      states.push(...[lateLabels(one.late, store, lateMinutes, now)].filter((state) => state !== undefined));
    }
    happened.push(
      ...one.failures.filter(({ kind, at }) => (kind === "BATTERIES" ? monday !== undefined : at >= since)),
    );
  }
  return { watched: places, known, unknown, states, happened };
}
