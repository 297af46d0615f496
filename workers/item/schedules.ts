import type { Db } from "mongodb";
import { givenUp } from "../../domain/labels/decide-switch.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import { schedules } from "../../records/kinds/items.ts";
import { switches } from "../../records/kinds/switches.ts";
import type { Records } from "../../records/records.ts";
import { idOf, itemKey, keysUnder, switchKey } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Schedule } from "../../schemas/schedule.ts";
import { switchIdOf } from "../../schemas/switch.ts";
import type { ItemWorld } from "./world.ts";

type Schedules = Pick<ItemWorld, "changeSchedules" | "readSchedules" | "findDue" | "closeUncommitted">;

/** Reads and writes the schedules of items. */
export function createSchedules(db: Db, records: Records, commit: Commit): Schedules {
  const keysOf = (store: string, itemIds: readonly string[]) => itemIds.map((itemId) => itemKey(store, itemId));
  return {
    readSchedules: (store, itemIds) => records.read(schedules, keysOf(store, itemIds)),

    async changeSchedules(store, itemIds, decide, urgency) {
      await commit.change(schedules, keysOf(store, itemIds), (key, current) => decide(idOf(key), current), urgency);
    },

    async closeUncommitted(store, times) {
      const ids = new Map(times.filter(isWhole).map((time) => [switchIdOf(time), time.getTime()]));
      const keys = [...ids.keys()].map((id) => switchKey(store, id));
      const present = await records.read(switches, keys);
      const awaited = [...present].flatMap(([key, { commit }]) => (commit === undefined ? [] : [key]));
      await commit.change(switches, awaited, (_, current) => current && givenUp(current), "bulk", present);
      const dropped = [...(await records.read(switches, awaited)).values()].filter((one) => one.commit !== "COMMITTED");
      return new Map(dropped.map(({ _id }) => [ids.get(idOf(_id)) ?? 0, idOf(_id)]));
    },

    // Leaves out the updates' rows: sorting does not need them, and many updates are in memory at the same time.
    findDue: (store, until) =>
      db
        .collection<Stored<Schedule>>(schedules.name)
        .find(
          { _id: keysUnder(itemKey(store, "")), store, due: { $lte: until } },
          { projection: { itemId: 1, updates: 1, due: 1 } },
        )
        .map(({ updates, ...schedule }) => ({ ...schedule, updates: updates.map(({ patch: _, ...head }) => head) }))
        .toArray(),
  };
}

/** Switches take place at whole seconds. */
const isWhole = (time: Date): boolean => time.getMilliseconds() === 0;
