import type { Redis } from "ioredis";
import { storeIds, storeKey, tenantIdOf, tenantOf } from "../../schemas/keys.ts";
import { PlState } from "../../schemas/label.ts";
import { prefixOf, sendTogether } from "../redis.ts";

export type StateCounts = Record<(typeof PlState.enum)[number], number>;

/** The last count of a store's labels. */
export interface StoreCount {
  countedAt: Date;
  plState: StateCounts;
  /** Number of labels that were behind, by hour, from the oldest to the current hour; undefined for an hour without a count. */
  behind: readonly (number | undefined)[];
}

/** Number of hours for which counts are kept. */
export const HOURS = 24;
const HOUR_MS = 3_600_000;
/** Age at which a count is no longer shown: the store has no labels left, or no process is counting. */
const VALID_MS = 2 * HOUR_MS;
const TTL_SECONDS = ((HOURS + 1) * HOUR_MS) / 1000;

/** Returns the number of labels that are not known to show their newest picture. */
const behindOf = ({ PENDING, ERROR, OFFLINE, UNKNOWN }: StateCounts): number => PENDING + ERROR + OFFLINE + UNKNOWN;

/**
 * Opens the counts of each store's labels by state, for the table of stores, and of the labels behind in each of the last
 * hours. The counts are kept only in Redis: if it loses them, they begin again with the next count.
 */
export function openStoreCounts(redis: Redis, now: () => Date) {
  const placeOf = (tenant: string, hour?: number): string =>
    `${prefixOf("transmitter")}:label-counts:${tenant}${hour === undefined ? "" : `:${hour}`}`;
  const hourNow = (): number => Math.floor(now().getTime() / HOUR_MS);
  return {
    /** Stores counts by store key; the last count of each hour remains. */
    async note(counted: ReadonlyMap<string, StateCounts>): Promise<void> {
      const hour = hourNow();
      const fields = new Map<string, (string | number)[]>();
      const add = (place: string, ...field: [string, string | number]) => {
        const known = fields.get(place);
        if (known === undefined) fields.set(place, [...field]);
        else known.push(...field);
      };
      for (const [store, counts] of counted) {
        const { storeId } = storeIds(store);
        const states = PlState.enum.map((state) => counts[state]);
        add(placeOf(tenantOf(store)), storeId, [now().getTime(), ...states].join(" "));
        add(placeOf(tenantOf(store), hour), storeId, behindOf(counts));
      }
      await sendTogether(
        redis,
        [...fields].flatMap(([place, values]) => [
          ["hset", place, ...values] as const,
          ["expire", place, TTL_SECONDS] as const,
        ]),
      );
    },
    /** Reads the counts of a tenant's stores, by store key. */
    async read(tenant: string): Promise<Map<string, StoreCount>> {
      const first = hourNow() - HOURS + 1;
      const places = [placeOf(tenant), ...Array.from({ length: HOURS }, (_, index) => placeOf(tenant, first + index))];
      const answers = await sendTogether(
        redis,
        places.map((place) => ["hgetall", place] as const),
      );
      const [last = {}, ...hours] = answers.map(asFields);
      const found = new Map<string, StoreCount>();
      for (const [storeId, text] of Object.entries(last)) {
        const [at = 0, ...states] = text.split(" ").map(Number);
        if (now().getTime() - at > VALID_MS) continue;
        found.set(storeKey(tenantIdOf(tenant), storeId), {
          countedAt: new Date(at),
          plState: Object.fromEntries(PlState.enum.map((state, index) => [state, states[index] ?? 0])) as StateCounts,
          behind: hours.map((hour) => (hour[storeId] === undefined ? undefined : Number(hour[storeId]))),
        });
      }
      return found;
    },
  };
}

/** Returns a hash as an object: a pipeline returns an object, but `call` in a cluster returns a list of names and values. */
function asFields(answer: unknown): Readonly<Record<string, string>> {
  if (!Array.isArray(answer)) return answer as Record<string, string>;
  return Object.fromEntries(
    Array.from({ length: answer.length / 2 }, (_, index) => [answer[2 * index], answer[2 * index + 1]]),
  );
}
