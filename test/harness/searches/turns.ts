import { setImmediate } from "node:timers/promises";
import type { RecordKind } from "../../../records/kind.ts";
import type { FoundTogether, KeyedRead } from "../../../records/read-together.ts";
import type { Records } from "../../../records/records.ts";

/** What a step accesses: adjacent steps that share nothing, or that only read, can be swapped without changing the result. */
export interface Access {
  kind: string;
  writes: boolean;
}

/** Resolves when its caller may continue. */
export type Gate = (access: Access) => Promise<void>;

/** An actor whose work proceeds step by step, from gate to gate. */
export interface Actor {
  /** Lets the actor proceed to its next gate, or to its end. */
  step(): Promise<void>;
  isOver(): boolean;
  /** The accesses of the actor's next step. */
  next(): readonly Access[];
}

/** Starts a function and lets it run to its first gate. Calls that wait at the same time are one step. */
export async function begin(work: (gate: Gate) => Promise<void>): Promise<Actor> {
  let waiting: { access: Access; go(): void }[] = [];
  let over = false;
  let arrived = Promise.withResolvers<void>();
  const rest = async () => {
    await arrived.promise;
    await setImmediate();
  };
  const running = work(
    (access) =>
      new Promise((go) => {
        waiting.push({ access, go });
        arrived.resolve();
      }),
  ).finally(() => {
    over = true;
    arrived.resolve();
  });
  await rest();
  return {
    isOver: () => over,
    next: () => waiting.map(({ access }) => access),
    async step() {
      const released = waiting;
      waiting = [];
      arrived = Promise.withResolvers();
      for (const { go } of released) go();
      await rest();
      if (over) await running;
    },
  };
}

/** Returns records whose reads and writes of some kinds each wait for their turn. */
export function inTurns(records: Records, gate: Gate, kinds: readonly RecordKind<never>[]): Records {
  const turn = async (kind: { name: string }, writes: boolean) => {
    if (kinds.some(({ name }) => name === kind.name)) await gate({ kind: kind.name, writes });
  };
  return {
    ...records,
    async read(kind, keys) {
      await turn(kind, false);
      return records.read(kind, keys);
    },
    /** Reads kind by kind, in order, because the server does not read them all at one moment either. */
    async readTogether<const Reads extends readonly KeyedRead<never>[]>(reads: Reads) {
      const found: Map<string, unknown>[] = [];
      for (const { kind, keys, fields } of reads) {
        await turn(kind, false);
        found.push(await (fields ? records.readFields(kind, keys, fields) : records.read(kind, keys)));
      }
      return found as unknown as FoundTogether<Reads>;
    },
    async readFields(kind, keys, fields) {
      await turn(kind, false);
      return records.readFields(kind, keys, fields);
    },
    async readRevs(kind, keys) {
      await turn(kind, false);
      return records.readRevs(kind, keys);
    },
    async compareAndSet(kind, proposals, write) {
      if (proposals.length > 0) await turn(kind, true);
      return records.compareAndSet(kind, proposals, write);
    },
  };
}
