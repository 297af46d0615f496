import { type Logger, pino } from "pino";
import type { Commit } from "../../../queues/changes/commit.ts";
import type { Stage } from "../../../queues/changes/stage.ts";
import { createWalker, walkCollection } from "../../../queues/walks/walk.ts";
import { type Walk, walks } from "../../../records/kinds/work.ts";
import type { Stored } from "../../../schemas/record.ts";
import { counters } from "../../harness/databases/database.ts";
import { type ASystem, jobsOf } from "../../harness/system.ts";

export const QUEUE = "renderer";
export const KEY = "t/one/walks/renderer";
export const SCOPE = "t/one/";
const keys = ["t/one/a", "t/one/b", "t/one/c", "t/one/d", "t/one/e"];

export interface Given {
  /** The stages' names, and the keys that each finds stale. */
  stages?: Record<string, (keys: readonly string[]) => readonly string[]>;
  holder?: string;
  /** Milliseconds by which the walker's clock is ahead. */
  at?: number;
  /** Replaces the system's commit. */
  commit?: Commit;
  takesJobs?: boolean;
  isBusy?: () => boolean;
}

/** Opens walkers of one walk on a real database, and reads the walk and the enqueued keys. */
export function walkersOf(own: ASystem) {
  function open(given: Given = {}) {
    const {
      stages = { only: () => [] },
      holder = "this process",
      at = 0,
      commit = own.system.commit,
      takesJobs = true,
      isBusy = () => false,
    } = given;
    const lines: Record<string, unknown>[] = [];
    const log: Logger = pino({ level: "debug" }, { write: (line) => void lines.push(JSON.parse(line)) });
    /** The stage of each batch, and its keys without the scope. */
    const looked: string[] = [];
    const clock = { ms: 0 };
    const walker = createWalker({
      ...own.system,
      records: {
        ...own.system.records,
        async *scanKeys(_, prefix, after = "") {
          const left = keys.filter((key) => key.startsWith(prefix) && key > after);
          for (let index = 0; index < left.length; index += 2) yield left.slice(index, index + 2);
        },
      },
      commit,
      publisher: takesJobs ? own.system.publisher : { ...own.system.publisher, enqueue: async () => false },
      bulkJobs: { isBusy: async () => isBusy() },
      queue: QUEUE,
      stages: Object.entries(stages).map(
        ([name, findStale]): Stage => ({
          name,
          over: counters,
          topic: "designerlink.v1",
          async findStale(asked) {
            looked.push([name, ...asked.map((key) => key.slice(SCOPE.length))].join(" "));
            return [...findStale(asked)];
          },
        }),
      ),
      holder,
      now: () => new Date(Date.now() + at),
      clock: () => clock.ms,
      log,
    });
    const begin = async (start: Parameters<typeof walker.begin>[2] = { reason: "a change" }): Promise<Stored<Walk>> => {
      const walk = await walker.begin(KEY, SCOPE, start);
      if (walk === undefined) throw new Error("no walk was begun");
      return walk;
    };
    const beginUnless = (isBegun: (walk: Walk) => boolean) => walker.begin(KEY, SCOPE, { reason: "newest" }, isBegun);
    return { ...walker, begin, beginUnless, looked, clock, lines };
  }

  async function clear(): Promise<void> {
    await walkCollection(own.system.db).deleteMany({});
    await own.system.db.collection("outbox").deleteMany({});
    await own.system.redis.flushall();
  }

  async function read(): Promise<Stored<Walk>> {
    const walk = (await own.system.records.read(walks, [KEY])).get(KEY);
    if (walk === undefined) throw new Error("there is no walk");
    return walk;
  }
  const enqueued = async () =>
    (await jobsOf(own.system, QUEUE)).flatMap(({ name, data, opts }) =>
      (data as { changes: { key: string }[] }).changes.map((change) => ({ name, priority: opts.priority, ...change })),
    );

  return { open, read, enqueued, clear };
}

export const never = () => false;
export const isFree = ({ holder, heldUntil }: Walk) => holder === "" && heldUntil.getTime() === 0;
export const only = (...stale: string[]) => ({
  only: (asked: readonly string[]) => asked.filter((key) => stale.includes(key)),
});
