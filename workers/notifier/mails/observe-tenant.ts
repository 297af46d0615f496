import pLimit from "p-limit";
import { lateLabels } from "../../../domain/notifications/late-labels.ts";
import { collectMail, isRefused } from "../../../domain/notifications/mails.ts";
import { type Observed, observe, placeOf, type StateNow } from "../../../domain/notifications/observe.ts";
import { watchedBy } from "../../../domain/notifications/rights.ts";
import { lastMonday } from "../../../domain/notifications/weekly.ts";
import type { Commit } from "../../../queues/changes/commit.ts";
import { notifications } from "../../../records/kinds/notifications.ts";
import type { Records } from "../../../records/records.ts";
import { storeKey, tenantIdOf } from "../../../schemas/keys.ts";
import type { Notification, NotificationEntry, NotificationKind } from "../../../schemas/notification.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { ReadFailures } from "./read-failures.ts";
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

/** What is known of a store in one round; each part is read once, for whoever watches it. */
interface StoreNow {
  late?: Date[];
  states: StateNow[];
  known: NotificationKind[];
  failures: NotificationEntry[];
}

const CONCURRENT_STORES = 4;

/** A person whom mails reach, with what it watches. */
interface Watcher {
  person: Stored<Notification>;
  watched: { kind: NotificationKind; store: string }[];
  /** The Monday whose batteries are due; undefined if they were counted. */
  monday: Date | undefined;
}

/** Looks at what the people of a tenant watch, collects what they do not know yet, and makes mails of what is due. */
export async function observeTenant(
  world: ObserveWorld,
  tenant: string,
  people: readonly Stored<Notification>[],
): Promise<void> {
  const { records, commit, newId, databaseNow } = world;
  const now = databaseNow();
  const reached = people.filter((person) => person.address !== undefined && !isRefused(person));
  if (reached.length === 0) return;
  const [rights, stores] = await Promise.all([readRights(records, reached, now), readStores(records, tenant)]);
  const watchers = reached.map((person): Watcher => {
    const of = rights.get(person._id);
    const watched = of ? watchedBy(person, of, [...stores.keys()]) : [];
    const zone = stores.get(watched[0]?.store ?? "")?.timeZone ?? "UTC";
    const monday = lastMonday(now, zone);
    const isCounted = monday <= (person.batteriesAt ?? person.since);
    return { person, watched, monday: isCounted ? undefined : monday };
  });
  const kindsOf = kindsByStore(watchers);
  const moveOns: (() => Promise<void>)[] = [];
  const read = await pLimit(CONCURRENT_STORES).map(
    [...kindsOf],
    async ([id, kinds]) => [id, await readStore(world, tenant, id, stores.get(id), kinds, now, moveOns)] as const,
  );
  const byStore = new Map(read);
  for (const { person, watched, monday } of watchers) {
    const seen = observedBy(person, watched, monday, byStore, now);
    const id = newId();
    const decide = (_: string, current: Stored<Notification> | undefined) => {
      // Whoever has chosen again meanwhile is looked at in the next round.
      if (current === undefined || current.since.getTime() !== person.since.getTime()) return undefined;
      const observed = observe(current, seen, now);
      return collectMail({ ...observed, ...(monday && { batteriesAt: monday }) }, id, now);
    };
    await commit.change(notifications, [person._id], decide, "bulk");
  }
  for (const moveOn of moveOns) await moveOn();
}

/** Which kinds are watched in each store by anybody; batteries only if they are due for somebody. */
function kindsByStore(watchers: readonly Watcher[]): Map<string, Set<NotificationKind>> {
  const kinds = new Map<string, Set<NotificationKind>>();
  for (const { watched, monday } of watchers)
    for (const { kind, store } of watched) {
      if (kind === "BATTERIES" && monday === undefined) continue;
      kinds.set(store, (kinds.get(store) ?? new Set()).add(kind));
    }
  return kinds;
}

async function readStore(
  { readStates, readFailures, countBatteries }: ObserveWorld,
  tenant: string,
  storeId: string,
  present: PresentStore | undefined,
  kinds: ReadonlySet<NotificationKind>,
  now: Date,
  moveOns: (() => Promise<void>)[],
): Promise<StoreNow> {
  const tenantId = tenantIdOf(tenant);
  const store = { tenantId, storeId, labelServer: present?.labelServer };
  const found: StoreNow = { states: [], known: [], failures: [] };
  const add = (kind: NotificationKind, states: readonly StateNow[] | undefined) => {
    if (states === undefined) return;
    found.known.push(kind);
    found.states.push(...states);
  };
  if (kinds.has("LATE_LABELS")) found.late = await readStates.lateLabels(store);
  if (kinds.has("LABEL_SERVER")) add("LABEL_SERVER", await readStates.labelServer(store, now));
  if (kinds.has("HELD")) add("HELD", await readStates.held(store));
  if (kinds.has("FAILED_LIST")) {
    const { failures, moveOn } = await readFailures.find(storeKey(tenantId, storeId), storeId);
    found.failures.push(...failures);
    moveOns.push(moveOn);
  }
  if (kinds.has("BATTERIES")) {
    const count = await countBatteries(storeKey(tenantId, storeId), now);
    const id = `batteries ${storeId} ${now.getTime()}`;
    if (count > 0) found.failures.push({ id, kind: "BATTERIES", store: storeId, event: "HAPPENED", at: now, count });
  }
  return found;
}

/** What is known for one person. */
function observedBy(
  { lateMinutes, since }: Notification,
  watched: Watcher["watched"],
  monday: Date | undefined,
  byStore: ReadonlyMap<string, StoreNow>,
  now: Date,
): Observed {
  const places = new Set(watched.map(placeOf));
  const known = new Set<string>();
  const states: StateNow[] = [];
  const happened: NotificationEntry[] = [];
  for (const store of new Set(watched.map(({ store }) => store))) {
    const one = byStore.get(store);
    if (one === undefined) continue;
    for (const kind of one.known) known.add(placeOf({ kind, store }));
    states.push(...one.states);
    if (one.late) {
      known.add(placeOf({ kind: "LATE_LABELS", store }));
      states.push(...[lateLabels(one.late, store, lateMinutes, now)].filter((state) => state !== undefined));
    }
    happened.push(
      ...one.failures.filter(({ kind, at }) => (kind === "BATTERIES" ? monday !== undefined : at >= since)),
    );
  }
  return { watched: places, known, states, happened };
}
