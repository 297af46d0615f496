import type { Db } from "mongodb";
import { readinessOf } from "../../domain/labels/keep-pictures.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import { switches } from "../../records/kinds/switches.ts";
import { listRecords } from "../../records/list-records.ts";
import type { Records } from "../../records/records.ts";
import { scanLabelsOfSwitch } from "../../records/switches/read-switches.ts";
import { idOf, switchKey } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Readiness, Switch, SwitchCounts } from "../../schemas/switch.ts";

/** A label that takes part in a switch. */
export interface LabelOfSwitch {
  barcode: string;
  readiness: Readiness;
  reason: string | null;
}

/** The dependencies of the operations on switches. */
export interface SwitchesWorld {
  now(): Date;
  readSwitch(store: string, switchId: string): Promise<Stored<Switch> | undefined>;
  listSwitches(store: string): Promise<Stored<Switch>[]>;
  /** Changes a switch, unless `decide` returns undefined; returns the resulting switch. */
  changeSwitch(
    store: string,
    switchId: string,
    decide: (current: Switch | undefined) => Switch | undefined,
  ): Promise<Stored<Switch> | undefined>;
  /** Returns the labels of a switch, ordered by barcode. */
  labelsOfSwitch(store: string, switchId: string): AsyncIterable<LabelOfSwitch[]>;
}

/** Maximum number of switches that one call lists: the next ones and the most recent ones. */
const MAX_SWITCHES = 20;

/** Reads and changes switches. */
export function createSwitchReads({
  db,
  records,
  commit,
  now,
}: {
  db: Db;
  records: Records;
  commit: Commit;
  now(): Date;
}): Pick<SwitchesWorld, "readSwitch" | "listSwitches" | "changeSwitch" | "labelsOfSwitch"> & { now(): Date } {
  const readSwitch: SwitchesWorld["readSwitch"] = async (store, switchId) =>
    (await records.read(switches, [switchKey(store, switchId)])).get(switchKey(store, switchId));

  return {
    now,
    readSwitch,

    async listSwitches(store) {
      const found: Stored<Switch>[] = [];
      const listing = { prefix: switchKey(store, ""), descending: true, start: 0, limit: MAX_SWITCHES };
      for await (const batch of listRecords(db, switches, listing)) found.push(...(batch as Stored<Switch>[]));
      return found;
    },

    async changeSwitch(store, switchId, decide) {
      await commit.change(switches, [switchKey(store, switchId)], (_, current) => decide(current), "interactive");
      return readSwitch(store, switchId);
    },

    async *labelsOfSwitch(store, switchId) {
      for await (const batch of scanLabelsOfSwitch(db, store, switchId))
        yield batch.flatMap((state): LabelOfSwitch[] => {
          const readiness = readinessOf(state);
          if (readiness === undefined) return [];
          return [{ barcode: idOf(state._id), readiness, reason: state.later?.refused ?? null }];
        });
    },
  };
}

/** Counts the labels of a switch by their progress. */
export async function countLabels(
  { others = 0 }: Switch,
  labels: AsyncIterable<readonly LabelOfSwitch[]>,
): Promise<SwitchCounts> {
  const counts: SwitchCounts = { prepared: 0, ready: 0, asleep: 0, waiting: 0, shown: 0, others };
  for await (const batch of labels)
    for (const { readiness } of batch) {
      counts.prepared += 1;
      counts[countOf[readiness]] += 1;
    }
  return { ...counts, ready: counts.ready + counts.shown };
}

const countOf = { READY: "ready", ASLEEP: "asleep", WAITING: "waiting", SHOWN: "shown" } as const;
