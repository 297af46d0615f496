import type { Db } from "mongodb";
import { EVERY_KEY, keysUnder, labelKey } from "../../schemas/keys.ts";
import type { LabelState } from "../../schemas/label-state.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Switch } from "../../schemas/switch.ts";
import { labelStates } from "../kinds/labels.ts";
import { switches } from "../kinds/switches.ts";
import { batchesOf } from "../mongodb/batches-of.ts";
import type { FirstTogether } from "../mongodb/find-first-together.ts";
import type { Among } from "../owners.ts";

/** The fields of a label's state that show how far its switch has progressed. */
const readinessFields = ["wanted", "later", "sending", "tries"] as const;
type SwitchingLabel = Pick<Stored<LabelState>, "_id" | (typeof readinessFields)[number]>;

const LABELS_PER_BATCH = 500;

const anyOpen = { collection: switches.name, filter: { _id: EVERY_KEY, open: true }, projection: { _id: 1 } };

/** Reads the switches in these key ranges with something left to do. */
export async function readOpenSwitches(
  { db, firstTogether }: { db: Db; firstTogether: FirstTogether },
  ranges: readonly Among[],
): Promise<Stored<Switch>[]> {
  if ((await firstTogether(anyOpen)) === undefined) return [];
  const found = ranges.map((among) =>
    db.collection<Stored<Switch>>(switches.name).find({ _id: among, open: true }).toArray(),
  );
  return (await Promise.all(found)).flat();
}

/** Reads the labels that take part in a switch, ordered by barcode. */
export async function* scanLabelsOfSwitch(db: Db, store: string, switchId: string): AsyncGenerator<SwitchingLabel[]> {
  const projection = Object.fromEntries(readinessFields.map((field) => [field, 1]));
  const cursor = db
    .collection<Stored<LabelState>>(labelStates.name)
    .find({ store, "later.switch": switchId, _id: keysUnder(labelKey(store, "")) }, { projection })
    .sort({ _id: 1 });
  yield* batchesOf(cursor, LABELS_PER_BATCH) as AsyncGenerator<SwitchingLabel[]>;
}
