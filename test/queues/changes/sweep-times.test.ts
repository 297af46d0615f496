import { mock } from "node:test";
import test, { type ExecutionContext } from "ava";
import { pino } from "pino";
import { startSweeper } from "../../../queues/changes/sweep.ts";
import type { Leases } from "../../../records/leases/leases.ts";
import type { Outbox, OutboxEntry } from "../../../records/outbox/outbox.ts";
import type { OpenChunks } from "../../../records/requests/open-chunks.ts";
import { partOf } from "../../harness/part-of.ts";

/** When a process sweeps, under which lease and with which grace period, on timers that the test advances. */
const MINUTE_MS = 60_000;
/** Time from the first sweep to the next multiple of the interval, since sweeps run in step with other timers. */
const UNTIL_STEP_MS = MINUTE_MS - 1_000;
const START = Date.parse("2026-01-01");

interface Given {
  isReady?: boolean;
  isHeld?: boolean;
  /** The number of changes that each sweep in turn finds in the outbox; an error if the sweep fails. */
  finds?: (number | Error)[];
  /** Whether each sweep ends before it has checked every chunk. */
  isCut?: boolean[];
  /** The condition that a sweep waits for. */
  work?: Promise<void>;
}

function open(t: ExecutionContext, given: Given = {}) {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.teardown(() => mock.timers.reset());
  const { finds = [], isCut = [] } = given;
  const clock = { ms: 0 };
  const seen = { held: [] as [string, number][], released: [] as string[], graces: [] as number[] };
  const lines: Record<string, unknown>[] = [];
  const nothing = { chunks: [], dead: [], next: undefined };
  const dependencies: Parameters<typeof startSweeper>[0] = {
    records: partOf({ readRevs: async () => new Map() }),
    outbox: partOf<Outbox>({
      async *scan(before: Date): AsyncGenerator<OutboxEntry[]> {
        seen.graces.push(START + clock.ms - before.getTime());
        await given.work;
        const found = finds.shift() ?? 0;
        if (found instanceof Error) throw found;
        const changes = Array.from({ length: found }, (_, index) => ({
          ...{ key: `t/a/s/b/items/${index}`, rev: 0, changed: [] },
          ...{ operation: "UPDATED" as const, urgency: "bulk" as const },
        }));
        if (found > 0) yield [{ _id: "1", kind: "storeitemvalues.v1", since: new Date(START), changes }];
      },
      remove: async () => {},
    }),
    openChunks: partOf<OpenChunks>({
      databaseTime: async () => new Date(START),
      readPage: async (urgency: string) => {
        if (urgency !== "bulk" || !isCut.shift()) return nothing;
        // Longer than a pass may take.
        clock.ms += 6_000;
        return { chunks: [], dead: [], next: { drawnAt: new Date(0), _id: "x" } };
      },
    }),
    publisher: partOf({ isReady: () => given.isReady ?? true, publish: async () => true }),
    leases: partOf<Leases>({
      hold: async (name: string, ms: number) => {
        seen.held.push([name, ms]);
        return given.isHeld ?? true;
      },
      release: async (name: string) => void seen.released.push(name),
    }),
    journal: partOf({}),
    bulkJobs: partOf({}),
    ...{ admitChunks: async () => 0, now: () => new Date(START + clock.ms) },
    clock: () => clock.ms,
    reasonOf: ({ message }: Error) => message,
    ...{ intervalMs: MINUTE_MS, log: pino({}, { write: (line) => void lines.push(JSON.parse(line)) }) },
  };
  const sweeper = startSweeper(dependencies);
  t.teardown(sweeper.stop);
  /** Advances the clock and runs due work; returns how often the process has requested a lease. */
  const after = async (ms: number) => {
    clock.ms += ms;
    mock.timers.tick(ms);
    for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
    return seen.held.length;
  };
  return { ...sweeper, after, seen, lines, clock };
}

test.serial(
  "the first sweep starts after a second, and later ones at intervals, under a lease that is kept",
  async (t) => {
    const { after, seen } = open(t);
    t.is(await after(999), 0);
    t.is(await after(1), 1);
    t.deepEqual(seen.released, ["requested sweep"], "the first sweep is for what an earlier process left unfinished");
    t.is(await after(UNTIL_STEP_MS - 1), 1);
    t.is(await after(1), 2);
    t.is(await after(MINUTE_MS), 3);
    t.deepEqual(seen.held, [
      ["requested sweep", 2_000],
      ["sweep", 10_000],
      ["sweep", 10_000],
    ]);
    t.deepEqual(seen.released, ["requested sweep"]);
    t.deepEqual(seen.graces, [5_000, 5_000, 5_000]);
  },
);

test.serial(
  "a request starts a sweep each second for eight seconds, without a grace period, and ends the pause",
  async (t) => {
    const { after, request, seen } = open(t);
    await after(1_000);
    await after(10_000);
    t.is(seen.held.length, 1);
    request();
    t.is(await after(999), 1);
    t.is(await after(1), 2);
    for (let second = 2; second <= 8; second += 1) await after(1_000);
    t.is(seen.held.length, 9);
    const requested = Array.from({ length: 7 }, (): [string, number] => ["requested sweep", 2_000]);
    t.deepEqual(seen.held.slice(1), [...requested, ["sweep", 10_000]]);
    // The last of these sweeps came after the eight seconds, so it had a regular sweep's grace period.
    t.deepEqual(seen.graces.slice(1), [...Array.from({ length: 7 }, () => -10_000), 5_000]);
    // The sweep came 19 seconds after the start.
    await after(MINUTE_MS - 19_000 - 1);
    t.is(seen.held.length, 9);
    await after(1);
    t.deepEqual(seen.held.at(-1), ["sweep", 10_000]);
  },
);

test.serial("a sweep that found something, or was cut short, is repeated within a second", async (t) => {
  const { after, seen, lines } = open(t, { finds: [2, 0], isCut: [false, true, false] });
  await after(1_000);
  t.like(lines[0], { level: 30, swept: 2 });
  t.is(await after(1_000), 2);
  t.is(await after(1_000), 3, "the second sweep was cut short");
  t.is(await after(1_000), 3);
  t.is(lines.length, 1);
  t.deepEqual(
    seen.held.map(([name]) => name),
    ["requested sweep", "requested sweep", "requested sweep"],
  );
});

test.serial("a request during a sweep starts another sweep after it", async (t) => {
  const { promise: work, resolve: end } = Promise.withResolvers<void>();
  const { after, request } = open(t, { work });
  t.is(await after(1_000), 1);
  request();
  t.is(await after(30_000), 1, "one sweep at a time");
  request();
  end();
  await after(0);
  t.is(await after(1_000), 2);
});

test.serial("without Redis no lease is requested, and without a lease no sweep runs", async (t) => {
  const away = open(t, { isReady: false });
  await away.after(1_000);
  await away.after(1_000);
  t.deepEqual([away.seen.held, away.seen.graces], [[], []]);
  mock.timers.reset();
  const held = open(t, { isHeld: false });
  await held.after(1_000);
  t.deepEqual([held.seen.held.length, held.seen.graces, held.seen.released], [1, [], []]);
  t.is(await held.after(1_000), 2, "the remains of its predecessor must still be swept");
});

test.serial("a failed sweep is logged and followed by another", async (t) => {
  const { after, lines } = open(t, { finds: [new Error("the database is unreachable")] });
  await after(1_000);
  t.like(lines[0], { level: 40, error: "the database is unreachable", msg: "the sweep will be retried" });
  t.is(await after(1_000), 2);
});

test.serial("a stopped process starts no more sweeps, even on request", async (t) => {
  const { promise: work, resolve: end } = Promise.withResolvers<void>();
  const { after, stop, request } = open(t, { work });
  await after(1_000);
  stop();
  end();
  await after(0);
  request();
  t.is(await after(MINUTE_MS), 1);
});
