import type { AnyBulkWriteOperation, Db } from "mongodb";
import { ExpressionError } from "../../domain/expression/expression.ts";
import { itemKeysOfScenarios } from "../../domain/packs/item-keys.ts";
import type { CommunicationPack } from "../../schemas/design.ts";
import type { Stored } from "../../schemas/record.ts";
import { communicationPacks } from "../kinds/designs.ts";
import { batchesOf } from "../mongodb/batches-of.ts";

/** Small, since a pack may have thousands of expressions to compile, and a killed run loses its current batch. */
const PACKS_PER_BATCH = 20;

type Pack = Pick<Stored<CommunicationPack>, "_id" | "rev" | "scenarios">;

/**
 * Adds `itemKeys`, the item values that the expressions read, to packs that an earlier release stored. Idempotent. Run at each
 * release. A run continues where a killed run stopped, since it reads only packs without the field. Returns a sentence about what
 * it did, and a sentence for each pack with an expression that does not compile.
 *
 * Processes of the earlier release may run at the same time. They replace a pack as a whole, without the field, so the field
 * always matches the pack's scenarios. A pack that was written since it was read is left to the next run. Packs keep their revs,
 * since they still choose the same designs: no link is evaluated again.
 */
export async function fillItemKeys(
  db: Db,
  begin: (total: number) => (done: number) => void = () => () => {},
): Promise<string[]> {
  const packs = db.collection<Stored<CommunicationPack>>(communicationPacks.name);
  const lacking = { itemKeys: { $exists: false } };
  const total = await packs.countDocuments(lacking);
  if (total === 0) return [];
  const advance = begin(total);
  const faults: string[] = [];
  let read = 0;
  let filled = 0;
  const cursor = packs.find<Pack>(lacking, { projection: { rev: 1, scenarios: 1 } });
  for await (const batch of batchesOf(cursor, PACKS_PER_BATCH)) {
    const plans = batch.map(planItemKeys);
    faults.push(...plans.flatMap(({ fault }) => fault ?? []));
    const writes = plans.flatMap(({ write }) => write ?? []);
    if (writes.length > 0) filled += (await packs.bulkWrite(writes, { ordered: false })).modifiedCount;
    read += batch.length;
    advance(read);
  }
  return filled > 0
    ? [`${filled} documents of "${communicationPacks.name}" now have the field "itemKeys"`, ...faults]
    : faults;
}

/**
 * Returns the write that adds the field to a pack if it still has the rev that was read. Returns no write if the pack's
 * expressions read keys that are known only during evaluation.
 */
export function planItemKeys({ _id, rev, scenarios }: Pack): {
  write?: AnyBulkWriteOperation<Stored<CommunicationPack>>;
  fault?: string;
} {
  try {
    const itemKeys = itemKeysOfScenarios(scenarios);
    return itemKeys ? { write: { updateOne: { filter: { _id, rev }, update: { $set: { itemKeys } } } } } : {};
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const fault = `an expression of the pack "${_id}" does not compile: ${error.message}`;
    return { fault: `${fault}; until the pack is saved again, links are evaluated after every item change` };
  }
}
