import { setImmediate } from "node:timers/promises";
import type { RecordKind } from "../../records/kind.ts";
import type { FoundTogether, KeyedRead } from "../../records/read-together.ts";
import type { Records } from "../../records/records.ts";

/** The effect of a step: steps that share nothing, or only read, may swap places without a difference. */
export interface Access {
  kind: string;
  writes: boolean;
}

/** Resolves when its caller may continue. */
export type Gate = (access: Access) => Promise<void>;

/** An actor whose work proceeds step by step, from gate to gate. */
interface Actor {
  /** Lets it proceed to its next gate, or to its end. */
  step(): Promise<void>;
  isOver(): boolean;
  /** Its next step. */
  next(): readonly Access[];
}

/** Begins a work and lets it run to its first gate. Calls that wait at one time are one step. */
async function begin(work: (gate: Gate) => Promise<void>): Promise<Actor> {
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

/**
 * Runs works side by side in every order of their steps that can make a difference, one order after the other: each run
 * is prepared, played to its end and checked. Of orders that differ only in neighbouring steps which could change
 * places, one is played. Returns how many were.
 */
export async function inEveryOrder(scenario: {
  prepare(): Promise<void>;
  works: readonly ((gate: Gate) => Promise<void>)[];
  check(order: readonly number[]): Promise<void>;
}): Promise<number> {
  let plan: readonly number[] | undefined = [];
  let orders = 0;
  while (plan !== undefined) {
    await scenario.prepare();
    const actors: Actor[] = [];
    for (const work of scenario.works) actors.push(await begin(work));
    const taken = await play(actors, plan);
    await scenario.check(taken.map(({ actor }) => actor));
    orders += 1;
    plan = nextPlan(taken);
  }
  return orders;
}

interface Taken {
  actor: number;
  /** Who else could have been let go here, and is not tried yet. */
  others: readonly number[];
}

async function play(actors: readonly Actor[], plan: readonly number[]): Promise<Taken[]> {
  const taken: Taken[] = [];
  let last: { actor: number; did: readonly Access[] } | undefined;
  for (;;) {
    const alive = actors.flatMap((actor, index) => (actor.isOver() ? [] : [index]));
    if (alive.length === 0) return taken;
    const worthwhile = alive.filter((index) => !isRepetition(index, actors[index]?.next() ?? [], last));
    const choices = worthwhile.length > 0 ? worthwhile : alive.slice(0, 1);
    const planned = plan[taken.length];
    const actor = planned ?? choices[0] ?? 0;
    taken.push({ actor, others: choices.filter((index) => index > actor) });
    last = { actor, did: actors[actor]?.next() ?? [] };
    await actors[actor]?.step();
  }
}

/** A step of an earlier actor that could as well have come before the last step: that order is played elsewhere. */
function isRepetition(
  index: number,
  next: readonly Access[],
  last: { actor: number; did: readonly Access[] } | undefined,
): boolean {
  if (last === undefined || last.actor <= index) return false;
  return !next.some((one) => last.did.some((other) => one.kind === other.kind && (one.writes || other.writes)));
}

/** The same order up to the last place where another work could have continued. */
function nextPlan(taken: readonly Taken[]): number[] | undefined {
  const branch = taken.findLastIndex(({ others }) => others.length > 0);
  const other = taken[branch]?.others[0];
  return other === undefined ? undefined : [...taken.slice(0, branch).map(({ actor }) => actor), other];
}

/** Records whose reads and writes of some kinds each wait for their turn. */
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
    /** Kind by kind, in their order: the server does not read them at one moment either. */
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
