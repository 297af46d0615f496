import { lateSince } from "../../../domain/notifications/late-since.ts";
import type { StateNow } from "../../../domain/notifications/observe.ts";
import {
  type LabelServerHealth,
  type LabelServerHealthNotes,
  openLabelServerHealth,
} from "../../../queues/publish/label-server-health.ts";
import type { System } from "../../../queues/system.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { eslImages } from "../../../records/kinds/pictures.ts";
import { batchesOf } from "../../../records/mongodb/batches-of.ts";
import type { Holds } from "../../../records/requests/held/holds.ts";
import { keysUnder, labelKey, labelServerKey, storeKey, tenantKey } from "../../../schemas/keys.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import { LATE_MINUTES } from "../../../schemas/notification.ts";
import type { Stored } from "../../../schemas/record.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";

export type ReadStatesWorld = Pick<System, "db" | "records" | "publisher" | "redis"> & { holds: Pick<Holds, "list"> };

/**
 * A store and its label servers: first the store's own, then its departments'. Undefined stands for the installation's label
 * server.
 */
export interface WatchedStore {
  tenantId: string;
  storeId: string;
  labelServers: readonly (string | undefined)[];
}

/** Maximum number of a store's labels that are counted as late. Counting more would make no difference. */
const MAX_LATE = 2_000;
const STATES_PER_READ = 1_000;
/** The shortest delay after which a person can choose to count labels as late. */
const LATE_AFTER_MS = Math.min(...LATE_MINUTES) * 60_000;
/** If a label server responds again within this time, nobody is notified. */
const TROUBLE_AFTER_MS = 3 * 60_000;

/** Reads the states of stores about which people can be notified. */
export function createReadStates({ db, records, holds, publisher, redis }: ReadStatesWorld) {
  const health: LabelServerHealthNotes = openLabelServerHealth(redis);
  const states = db.collection<Stored<LabelState>>(labelStates.name);

  /** Reads the revs of pictures by label; label states from earlier releases do not contain them. */
  async function madeAt(batch: readonly Stored<LabelState>[]): Promise<Map<string, number>> {
    const unnamed = batch.filter(({ imageRev }) => imageRev === undefined).map(({ _id }) => _id);
    const read = unnamed.length === 0 ? [] : await records.readRevs(eslImages, unnamed);
    return new Map([...read, ...batch.flatMap(({ _id, imageRev }) => (imageRev ? [[_id, imageRev] as const] : []))]);
  }

  return {
    /**
     * Returns the times since which labels of a store have been waiting to show their picture. Leaves out labels that have not
     * yet waited for the shortest delay that counts as late.
     */
    async lateLabels({ tenantId, storeId }: WatchedStore, now: Date): Promise<Date[]> {
      const store = storeKey(tenantId, storeId);
      const longest = new Date(now.getTime() - LATE_AFTER_MS);
      // Compared by the database, so that labels that have just received a picture do not displace labels that have waited for a
      // long time.
      const isOld = { $or: [{ imageRev: { $exists: false } }, { imageRev: { $lte: longest.getTime() } }] };
      const found = states
        .find(
          { _id: keysUnder(labelKey(store, "")), store, sendDue: { $exists: true }, ...isOld },
          { projection: { wanted: 1, shown: 1, refreshing: 1, sending: 1, givenUp: 1, imageRev: 1 } },
        )
        .sort({ store: 1, sendDue: 1, _id: 1 });
      const late: Date[] = [];
      for await (const batch of batchesOf(found, STATES_PER_READ)) {
        const made = await madeAt(batch);
        // A rev is the time of the write.
        const times = batch.map((state) => lateSince(state, new Date(made.get(state._id) ?? 0)));
        late.push(...times.filter((since): since is Date => since !== undefined && since <= longest));
        if (late.length >= MAX_LATE) break;
      }
      return late.slice(0, MAX_LATE);
    },

    /** Returns what prevents pictures from reaching a store's labels; undefined if this is currently unknown. */
    async labelServers(
      { tenantId, storeId, labelServers }: WatchedStore,
      now: Date,
    ): Promise<ServerStates | undefined> {
      if (!publisher.isReady()) return undefined;
      const store = storeKey(tenantId, storeId);
      const keys = labelServers.map((id) => (id === undefined ? "" : labelServerKey(tenantKey(tenantId), id)));
      const [calls, offline] = await Promise.all([
        health.read(keys),
        Promise.all(keys.map((key) => health.readOffline(store, key))),
      ]);
      const found = labelServers.map((id, index) => {
        // The state of the store's own label server keeps the id that it had before departments could name others.
        const state = { id: `server ${index === 0 ? storeId : `${storeId} ${id}`}`, store: storeId };
        return { id: state.id, states: troubleOf(state, calls[index] ?? {}, offline[index], now) };
      });
      const unknown = found.filter(({ states }) => states === undefined).map(({ id }) => id);
      return { states: found.flatMap(({ states = [] }) => states), unknown };
    },

    /** Returns a store's requests that wait for approval. */
    async held({ tenantId, storeId }: WatchedStore): Promise<StateNow[]> {
      // As many requests as a tenant can have, since a request that was left out would seem to be decided.
      const limit = tenantLimits.heldRequests;
      const waiting = await holds.list(storeKey(tenantId, storeId), { state: "WAITING", start: 0, limit });
      return waiting.map(({ number, drawnAt, hold }) => ({
        ...{ id: `held ${storeId} ${number}`, kind: "HELD", store: storeId, request: number },
        since: drawnAt,
        count: hold.count,
      }));
    },
  };
}
export type ReadStates = ReturnType<typeof createReadStates>;

/** What is wrong with a store's label servers, and the ids of label servers whose state is unknown. */
interface ServerStates {
  states: StateNow[];
  unknown: string[];
}

/** Returns what prevents pictures from reaching the labels of one label server; undefined if this is currently unknown. */
function troubleOf(
  state: Pick<StateNow, "id" | "store">,
  { awaySince, deniedSince, answeredAt }: LabelServerHealth,
  offlineSince: Date | undefined,
  now: Date,
): StateNow[] | undefined {
  const [trouble, since] = awaySince
    ? (["AWAY", awaySince] as const)
    : deniedSince
      ? (["DENIES", deniedSince] as const)
      : (["OFFLINE", offlineSince] as const);
  // The records of a killed transmitter expire: without a response, nobody knows whether the trouble is over.
  if (since === undefined) return answeredAt ? [] : undefined;
  if (now.getTime() - since.getTime() < TROUBLE_AFTER_MS) return undefined;
  return [{ ...state, kind: "LABEL_SERVER", trouble, since }];
}
