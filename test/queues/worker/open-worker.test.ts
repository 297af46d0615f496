import test, { type ExecutionContext } from "ava";
import { type Logger, pino } from "pino";
import { openFailures } from "../../../queues/changes/failures.ts";
import type { Stage } from "../../../queues/changes/stage.ts";
import {
  openShared,
  openWorker,
  type WorkerParts,
  type WorkerSettings,
  type WorkerSystem,
  workerSettings,
} from "../../../queues/worker/open-worker.ts";
import type { RunningWorker } from "../../../queues/worker/worker.ts";
import { links } from "../../../records/kinds/links.ts";
import { renderedImages } from "../../../records/kinds/pictures.ts";
import { failures } from "../../../records/kinds/work.ts";
import { readEnvironment } from "../../../schemas/environment.ts";
import type { Change } from "../../../schemas/topics.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { change, changesJob } from "../../harness/worker.ts";

const own = ownSystem();
test.beforeEach(async () => {
  await own.system.redis.flushall();
  await own.system.db.collection(failures.name).deleteMany({});
});

const IMAGES = "renderedimage.v1";
const KEY = "t/demo/s/main/links/0001";
const FAILURE = `${KEY}/failures/merger/${IMAGES}`;
const DAY = 86_400;
const settings = (): WorkerSettings => ({
  ...readEnvironment(workerSettings, [], {
    REDIS_URL: own.databases.redis.url,
    MONGODB_URL: own.databases.mongoUrl,
    MONGODB_DATABASE: own.databases.database,
    LOG_LEVEL: "silent",
  }),
  // Off by default; a test that needs one of them sets it.
  SWEEP_EVERY: DAY,
  AUDIT_EVERY: DAY,
});

/** A log and its written lines. */
function openLines() {
  const lines: Record<string, unknown>[] = [];
  const log: Logger = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}

interface Given {
  settings?: Partial<WorkerSettings>;
  parts?: Partial<WorkerParts<"merger">>;
  handle?(changes: readonly Change[]): Promise<void>;
  shared?: ReturnType<typeof openShared>;
  log?: Logger;
}

/** Opens the merger's process with the test's own handler; the process ends with the test, or earlier by `close`. */
async function openMerger(t: ExecutionContext, given: Given = {}) {
  const handled: string[] = [];
  const systems: WorkerSystem[] = [];
  const ignore = async () => {};
  const build = (system: WorkerSystem): WorkerParts<"merger"> => {
    systems.push(system);
    const handleImages = async (changes: readonly Change[]) => {
      await given.handle?.(changes);
      handled.push(...changes.map(({ key }) => key));
    };
    const handlers = { "ecceslimage.v1": ignore, "pageimage.v1": ignore, [IMAGES]: handleImages };
    return { handlers: { merger: handlers }, stages: [], ...given.parts };
  };
  const log = given.log ?? pino({ level: "silent" });
  const worker = await openWorker("merger", { ...settings(), ...given.settings }, log, build, given.shared);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= worker.close();
    return closed;
  };
  t.teardown(close);
  const [system] = systems;
  if (system === undefined) throw new Error("the parts were not built");
  return { close, handled, system };
}

/** The key's failure, if one is stored. */
const readFailure = async () => (await own.system.records.read(failures, [FAILURE])).get(FAILURE);
const itFailed = [{ entry: change(KEY), error: new Error("it failed") }];
const enqueue = (key: string) => own.system.publisher.enqueue("merger", [changesJob(IMAGES, [key])]);
/** A system whose clock is behind. */
const systemBefore = (ms: number) => ({ ...own.system, now: () => new Date(Date.now() - ms) });
const until = (what: string, isSo: () => boolean | Promise<boolean>) => eventually(what, async () => isSo());

test.serial("a process accepts jobs from its queues until it is closed", async (t) => {
  const merger = await openMerger(t);
  await enqueue(KEY);
  await until("it is handled", () => merger.handled.includes(KEY));
  await merger.close();
  await enqueue("t/demo/s/main/links/late");
  const counts = await own.system.publisher.queue("merger").getJobCounts("prioritized", "waiting", "active");
  const left = Object.values(counts).reduce((sum, count) => sum + count);
  t.deepEqual([left, merger.handled], [1, [KEY]]);
});

test.serial("a process changes only records of its topics in the topology", async (t) => {
  const { system } = await openMerger(t);
  const refused = system.commit.change(links, [KEY], () => ({}), "bulk");
  await t.throwsAsync(refused, { message: /link\.v2/ });
});

test.serial("a failed key is handled again when it is due, and its failure is then removed", async (t) => {
  const long = systemBefore(60_000);
  await openFailures("merger", long).record(IMAGES, itFailed);
  const other = "t/demo/s/main/links/0002";
  await openFailures("renderer", long).record("design.v1", [{ entry: change(other), error: new Error("it failed") }]);
  const merger = await openMerger(t, { settings: { SWEEP_EVERY: 0.05 } });
  await until("it is forgotten", async () => (await openFailures("merger", own.system).due(9)).length === 0);
  t.deepEqual(merger.handled, [KEY]);
  t.is((await openFailures("renderer", own.system).due(9)).length, 1, "another queue's failure is kept");
});

test.serial("a key that fails again is postponed", async (t) => {
  await openFailures("merger", systemBefore(60_000)).record(IMAGES, itFailed);
  const handle = () => Promise.reject(new Error("it fails again"));
  await openMerger(t, { settings: { SWEEP_EVERY: 0.05 }, handle });
  await until("the failure is recorded again", async () => (await readFailure())?.attempts === 2);
  t.is((await readFailure())?.reason, "it fails again");
});

test.serial(
  "a failure whose record is still older than announced is retried several times and then removed",
  async (t) => {
    const long = openFailures("merger", systemBefore(3_600_000));
    const record = () => long.record(IMAGES, itFailed);
    await record();
    // Reads the changed record, which does not exist, as a derivation does.
    const handle = async () => void (await own.system.records.read(renderedImages, [KEY]));
    await openMerger(t, { settings: { SWEEP_EVERY: 0.05 }, handle });
    await until("the failure is recorded again", async () => (await readFailure())?.attempts === 2);
    t.is((await readFailure())?.reason, `the database still returns ${KEY} at a rev older than the announced 1`);
    await until("it is forgotten", async () => {
      const present = await readFailure();
      // Everything that the process postpones is made due.
      if (present !== undefined && present.retryAt > new Date()) await record();
      return present === undefined;
    });
  },
);

test.serial("periodic work is repeated after each run, even a failed one, until the process ends", async (t) => {
  const { log, lines } = openLines();
  let runs = 0;
  let together = 0;
  const run = async () => {
    together += 1;
    t.is(together, 1, "the next run waits for the previous one to end");
    await new Promise((resolve) => setTimeout(resolve, 15));
    together -= 1;
    runs += 1;
    if (runs === 2) throw new Error("away for a moment");
  };
  const merger = await openMerger(t, { log, parts: { timers: [{ intervalMs: 5, run }] } });
  await until("it has run", () => runs > 3);
  await merger.close();
  t.is(together, 0, "a run in progress ends before the process does");
  const atEnd = runs;
  await new Promise((resolve) => setTimeout(resolve, 60));
  t.is(runs, atEnd);
  const failed = lines.filter(({ msg }) => msg === "a scheduled run failed and will be retried");
  t.is(failed.length, 1);
  t.is(failed[0]?.error, "away for a moment");
});

test.serial("an additional source passes its changes to the handlers and ends with the process", async (t) => {
  const opened: Pick<RunningWorker, "handle">[] = [];
  let runs = 0;
  let closes = 0;
  const run = async () => {
    runs += 1;
  };
  const open: WorkerParts<"merger">["open"] = async ({ merger }) => {
    opened.push(merger);
    const close = async () => {
      closes += 1;
    };
    return { timers: [{ intervalMs: 5, run }], close };
  };
  const merger = await openMerger(t, { parts: { open } });
  t.deepEqual(await opened[0]?.handle(IMAGES, [change(KEY)]), { failed: [], behind: new Map() });
  t.deepEqual(merger.handled, [KEY]);
  await until("the source's periodic work runs", () => runs > 1);
  t.is(closes, 0);
  await merger.close();
  t.is(closes, 1);
});

test.serial(
  "when Redis has lost its data, a process's stages are audited, including the stages of its own walker",
  async (t) => {
    await own.system.db.collection<{ _id: string }>(links.name).insertOne({ _id: KEY });
    t.teardown(() => own.system.db.collection(links.name).deleteMany({}));
    const looked = new Set<string>();
    const stage: Stage = {
      name: "audited",
      over: links,
      topic: IMAGES,
      findStale: async (keys) => {
        for (const key of keys) looked.add(key);
        return [...keys];
      },
    };
    const merger = await openMerger(t, { parts: { stages: [stage] } });
    await until("stale keys are handled", () => merger.handled.includes(KEY));
    t.true(looked.has(KEY));
  },
);

test.serial("a process reports its metrics and removes them when it ends", async (t) => {
  const processes = () => own.system.redis.zrange("{metrics}:processes", "0", "-1");
  const merger = await openMerger(t);
  await until("it is there", async () => (await processes()).some((name) => name.startsWith("merger.")));
  await merger.close();
  t.deepEqual(await processes(), []);
});

test.serial("a process that ends leaves shared resources open and reports no metrics of its own", async (t) => {
  const { log } = openLines();
  const shared = openShared(settings(), log, own.system.tracing);
  t.teardown(() => shared.close());
  const merger = await openMerger(t, { shared });
  await enqueue(KEY);
  await until("it is handled", () => merger.handled.includes(KEY));
  await merger.close();
  t.is(shared.system.redis.status, "ready");
  t.is(shared.redis.status, "ready");
  t.is(await shared.system.db.collection(failures.name).countDocuments(), 0);
  t.deepEqual(await own.system.redis.zrange("{metrics}:processes", "0", "-1"), []);
  await shared.close();
  await until("its connections end", () => shared.redis.status === "end" && shared.system.redis.status === "end");
});

test.serial("a failed connection of a worker is logged as such", async (t) => {
  const { log, lines } = openLines();
  const shared = openShared({ ...settings(), REDIS_URL: "redis://127.0.0.1:1" }, log, own.system.tracing);
  t.teardown(() => shared.close());
  await until("it is logged", () => lines.some(({ source }) => source === "worker"));
  t.true(lines.every(({ msg }) => msg === "a connection failed"));
});
