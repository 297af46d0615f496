import type { ExecutionContext } from "ava";
import { createCommit } from "../../../queues/changes/commit.ts";
import type { Derivation } from "../../../queues/changes/derivation.ts";
import { createDerive, type Derive } from "../../../queues/changes/derive.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { openOutbox } from "../../../records/outbox/outbox.ts";
import type { Stored } from "../../../schemas/record.ts";
import { inOrders } from "../../harness/searches/orders.ts";
import { type Gate, inTurns } from "../../harness/searches/turns.ts";
import { chainOf, type Stage, type System } from "./stages-of-a-label.ts";

/** Writes a record in one step. */
export async function set<Body>(system: System, kind: RecordKind<Body>, key: string, body: Body): Promise<void> {
  await system.commit.change(kind, [key], () => body, "bulk");
}

/** A record that a scenario changes. */
export interface Changed {
  kind: { name: string };
  key: string;
}

/** Prepares the derivation of a stage's record, each step controlled by a gate if one is given. */
function deriveOf(
  system: System,
  { kind, key, derivation }: Stage,
  input?: Changed,
  gate?: Gate,
): [Derive, Derivation<never, never>, string] {
  const watched = [kind, ...(input ? [input.kind] : [])] as RecordKind<never>[];
  const records = gate ? inTurns(system.records, gate, watched) : system.records;
  const commit = createCommit({ ...system, records, outbox: openOutbox(system.db) });
  return [createDerive({ records, commit }), derivation(records, system), key];
}

const derive = ([{ derive: run }, derivation, key]: ReturnType<typeof deriveOf>) => run(derivation, [key], "bulk");

/** Derives the stages up to this one from the current records, for the rules or for an ECC link. */
export async function deriveUpTo(system: System, last: Stage, chain: readonly Stage[] = chainOf(last)): Promise<void> {
  for (const one of chain) {
    await derive(deriveOf(system, one));
    if (one === last) return;
  }
}

/** Reads records in their current state; returns a function that restores them. */
async function recordsOf(system: System, changed: readonly Changed[]): Promise<() => Promise<void>> {
  const restores = changed.map(async ({ kind, key }) => {
    const collection = system.db.collection<{ _id: string }>(kind.name);
    const document = await collection.findOne({ _id: key });
    return () =>
      document ? collection.replaceOne({ _id: key }, document, { upsert: true }) : collection.deleteOne({ _id: key });
  });
  const putBack = await Promise.all(restores);
  return async () => void (await Promise.all(putBack.map((restore) => restore())));
}

const recordOf = async (system: System, { kind, key }: Stage) =>
  (await system.records.read(kind, [key])).get(key) as Stored<never>;

export type Value = () => Promise<void>;

/**
 * Derives a stage's record for each value; each returned function writes one of these records again, without the stages before
 * it.
 */
export async function madeBy(system: System, one: Stage, values: readonly Value[]): Promise<Value[]> {
  const made: Value[] = [];
  for (const value of values) {
    await value();
    await deriveUpTo(system, one);
    const record = await recordOf(system, one);
    made.push(() => set<unknown>(system, one.kind, one.key, record));
  }
  return made;
}

/**
 * Starts with the input `values[0]` and sets it to each other value; each change starts a handler. In any order of steps the
 * record must end as if only the last value had been set. Values A, B, A reveal most: a handler that reads the last A writes
 * nothing, so the compare-and-set of a slower handler that read B succeeds.
 */
export async function endsWithLast(
  t: ExecutionContext,
  system: System,
  one: Stage,
  input: Changed,
  values: readonly Value[],
): Promise<void> {
  const [first, second, third] = values;
  if (!first || !second || !third) throw new Error("a scenario needs three values");
  const outcome = async () => one.outcome(await recordOf(system, one));
  await third();
  await deriveUpTo(system, one);
  const expected = await outcome();
  await first();
  await deriveUpTo(system, one);
  await second();
  const orders = await inOrders(t, {
    prepare: await recordsOf(system, [input, one]),
    works: [
      (gate) => derive(deriveOf(system, one, input, gate)),
      async (gate) => {
        await gate({ kind: input.kind.name, writes: true });
        await third();
        await derive(deriveOf(system, one, input, gate));
      },
    ],
    async check(order) {
      const [{ findStale }, derivation, key] = deriveOf(system, one);
      t.deepEqual(await outcome(), expected, `stale after the order ${order.join("")}`);
      t.deepEqual(await findStale(derivation, [key]), [], `behind after the order ${order.join("")}`);
    },
  });
  t.true(orders > 5, "the handlers were interleaved");
}
