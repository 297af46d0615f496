import test from "ava";
import { countsOf } from "../../../queues/process-counts.ts";
import { createAdmitChunks } from "../../../queues/requests/admit-chunks.ts";
import type { OpenChunk } from "../../../records/requests/open-chunks.ts";
import { chunkKey, storeKey } from "../../../schemas/keys.ts";

const TENANT = "t/demo";
const [A, B, C, D] = ["a", "b", "c", "d"].map((id) => storeKey("demo", id)) as [string, string, string, string];
const LONG_AGO = new Date(0);
const NOW = new Date(1_000_000);

const chunk = (store: string, number: number, wholeAt = LONG_AGO): OpenChunk => ({
  ...{ _id: chunkKey(store, number, 0), store, number, index: 0, chunks: 1, size: 1_000, firstRow: 0 },
  ...{ operation: "patch-items", ordered: false, urgency: "bulk", generation: 0, open: true },
  ...{ drawnAt: wholeAt, journaledAt: wholeAt, validFor: 0, wholeAt },
});
const inRedis = (store: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    key: chunkKey(store, 100 + index, 0),
    queue: "item" as const,
    jobId: `${store} ${index}`,
  }));

/** The journal's waiting chunks, the chunks in Redis, and the actions on both. */
function letInScene(waiting: readonly OpenChunk[] = []) {
  const set = {
    ...{ isReady: true, takes: true, turn: undefined as string | undefined, isBusy: false },
    processes: countsOf([]),
    ...{ present: [] as ReturnType<typeof inRedis>, confirmed: new Set<string>() },
    held: undefined as Promise<void> | undefined,
    awaited: [] as OpenChunk[],
  };
  const asked: [after: string, present: readonly string[], limit: number][] = [];
  const enqueued: string[][] = [];
  /** IDs of the jobs that precede bulk jobs, one list per call. */
  const hurried: string[][] = [];
  const turns: string[] = [];
  let reads = 0;
  const admitChunks = createAdmitChunks({
    openChunks: {
      databaseTime: async () => NOW,
      readAwaited: async (_, present) => set.awaited.filter(({ _id }) => !present.includes(_id)),
      async readNextStore(tenant, after, present, limit) {
        asked.push([after, present, limit]);
        const left = waiting.filter(({ _id, store }) => store.startsWith(`${tenant}/`) && !present.includes(_id));
        const [store] = left
          .map((one) => one.store)
          .filter((one) => one > after)
          .sort();
        return store === undefined
          ? undefined
          : { store, chunks: left.filter((one) => one.store === store).slice(0, limit) };
      },
    },
    publisher: {
      isReady: () => set.isReady,
      enqueue: async (_, jobs) => {
        (jobs.some(({ isAwaited }) => isAwaited) ? hurried : enqueued).push(jobs.map(({ id }) => id ?? ""));
        return set.takes;
      },
    },
    bulkJobs: {
      async read() {
        reads += 1;
        await set.held;
        const { present: chunks, isBusy, turn, confirmed } = set;
        return { chunks, isBusy, confirmed, turn };
      },
      noteTurn: async (_, store) => void turns.push(store),
    },
    countProcesses: async () => set.processes,
  });
  return { set, asked, enqueued, hurried, turns, admitChunks, reads: () => reads };
}
const idsOf = (...chunks: OpenChunk[]) => chunks.map(({ _id }) => `${_id}~0`);

test("stores take turns, starting after the store that had the last turn, which is recorded", async (t) => {
  const [a1, a2, b1, b2, c1] = [chunk(A, 1), chunk(A, 2), chunk(B, 1), chunk(B, 2), chunk(C, 1)];
  const { set, enqueued, turns, admitChunks } = letInScene([a1, a2, b1, b2, c1]);
  set.turn = A;
  t.is(await admitChunks(TENANT), 5);
  t.deepEqual(enqueued, [idsOf(b1, c1, a1, b2, a2)]);
  t.deepEqual(turns, [A]);
});

test("without a recorded turn the first store begins, and each store is queried once", async (t) => {
  const [a1, b1] = [chunk(A, 1), chunk(B, 1)];
  const { asked, enqueued, admitChunks } = letInScene([a1, b1]);
  t.is(await admitChunks(TENANT), 2);
  t.deepEqual(enqueued, [idsOf(a1, b1)]);
  t.deepEqual(
    asked.map(([after]) => after),
    ["", A, B],
  );
  t.true(asked.every(([, , limit]) => limit === 8));
});

test("no more chunks enter than Redis has room for, and chunks already in Redis are not read again", async (t) => {
  const [a1, b1, c1] = [chunk(A, 1), chunk(B, 1), chunk(C, 1)];
  const { set, asked, enqueued, admitChunks } = letInScene([a1, b1, c1]);
  set.present = [...inRedis(D, 7), ...inRedis("t/demo/s/e", 7)];
  t.is(await admitChunks(TENANT), 2);
  t.deepEqual(enqueued, [idsOf(a1, b1)]);
  t.deepEqual(
    asked[0]?.[1],
    set.present.map(({ key }) => key),
  );
});

test("a store with its full share in Redis waits, except for a chunk whose number is below all numbers in Redis", async (t) => {
  const [first, late] = [chunk(D, 1), chunk(D, 200)];
  const { set, enqueued, admitChunks } = letInScene([first, late]);
  set.present = inRedis(D, 8);
  t.is(await admitChunks(TENANT), 1);
  t.deepEqual(enqueued, [idsOf(first)]);
});

test("a tenant with busy workers waits and is checked again", async (t) => {
  const { set, asked, enqueued, turns, admitChunks } = letInScene([chunk(A, 1)]);
  set.isBusy = true;
  set.turn = B;
  t.is(await admitChunks(TENANT), 0);
  t.deepEqual([asked, enqueued, turns], [[], [], [B]]);
  set.isBusy = false;
  t.is(await admitChunks(TENANT), 1);
});

test("an unconfirmed request enters after its grace period, and other requests do not wait for it", async (t) => {
  const [fresh, confirmed] = [chunk(A, 1, NOW), chunk(B, 2, NOW)];
  const { set, enqueued, turns, admitChunks } = letInScene([fresh, confirmed]);
  t.is(await admitChunks(TENANT), 0);
  t.deepEqual(turns, [""], "they are still waiting");
  set.confirmed = new Set([`${B}/2`]);
  t.is(await admitChunks(TENANT), 1);
  t.deepEqual(enqueued, [idsOf(confirmed)]);
});

test("without waiting chunks nothing is recorded; while Redis is down nothing is read, and the failure is reported", async (t) => {
  const nothing = letInScene([chunk(storeKey("other", "a"), 1)]);
  t.is(await nothing.admitChunks(TENANT), 0);
  t.deepEqual([nothing.turns, nothing.enqueued], [[], []]);
  const away = letInScene([chunk(A, 1)]);
  away.set.isReady = false;
  t.is(await away.admitChunks(TENANT), undefined);
  t.is(away.reads(), 0);
  const refusing = letInScene([chunk(A, 1)]);
  refusing.set.takes = false;
  t.is(await refusing.admitChunks(TENANT), undefined);
});

test("concurrent calls for a tenant during a pass share the next pass", async (t) => {
  const { set, admitChunks, reads } = letInScene();
  const released = Promise.withResolvers<void>();
  set.held = released.promise;
  const calls = [admitChunks(TENANT), admitChunks(TENANT), admitChunks(TENANT), admitChunks("t/other")];
  t.is(reads(), 2, "one call for each tenant");
  released.resolve();
  await Promise.all(calls);
  t.is(reads(), 3);
  await admitChunks(TENANT);
  t.is(reads(), 4);
  await Promise.all([admitChunks(TENANT), admitChunks(TENANT)]);
  t.is(reads(), 6, "a shared pass is not shared again");
});

const manyStores = Array.from({ length: 40 }, (_, index) => storeKey("demo", `many-${index + 10}`));

test("a pass queries no more stores than fill the room, and only a few if there is little room", async (t) => {
  const old = letInScene(manyStores.map((store) => chunk(store, 1)));
  t.is(await old.admitChunks(TENANT), 16);
  t.is(old.asked.length, 16);
  const fresh = letInScene(manyStores.map((store) => chunk(store, 1, NOW)));
  t.is(await fresh.admitChunks(TENANT), 0);
  t.is(fresh.asked.length, 33, "32 stores, and the one after them");
  const full = letInScene(manyStores.map((store) => chunk(store, 1, NOW)));
  full.set.present = [...inRedis(A, 8), ...inRedis(B, 8)];
  t.is(await full.admitChunks(TENANT), 0);
  t.is(full.asked.length, 5);
  const nearlyFull = letInScene(manyStores.map((store) => chunk(store, 1, NOW)));
  nearlyFull.set.present = [...inRedis(A, 8), ...inRedis(B, 7)];
  t.is(await nearlyFull.admitChunks(TENANT), 0);
  t.is(nearlyFull.asked.length, 33);
});

test("twice as many processes have twice the room", async (t) => {
  const { set, asked, admitChunks } = letInScene(manyStores.map((store) => chunk(store, 1)));
  set.processes = countsOf(["item", "item"]);
  t.is(await admitChunks(TENANT), 32);
  t.deepEqual([asked.length, asked[0]?.[2]], [32, 16]);
});

test("room in one queue does not make a pass read all stores that wait for another queue", async (t) => {
  const { set, asked, enqueued, admitChunks } = letInScene(manyStores.map((store) => chunk(store, 1)));
  set.processes = countsOf(["item", "link", "link", "link"]);
  set.present = [...inRedis(A, 8), ...inRedis(B, 7)];
  t.is(await admitChunks(TENANT), 1);
  t.is(enqueued[0]?.length, 1);
  t.is(asked.length, 5, "one chunk that enters, and four that do not fit");
});

test("if only one of a store's chunks is unconfirmed, only that chunk waits for its grace period", async (t) => {
  const [a1, a2] = [chunk(A, 1, NOW), chunk(A, 2, NOW)];
  const { set, enqueued, admitChunks } = letInScene([a1, a2]);
  set.confirmed = new Set([`${A}/1`]);
  t.is(await admitChunks(TENANT), 1);
  t.deepEqual(enqueued, [idsOf(a1)]);
});

test("chunks that an interactive request awaits enter Redis however full and busy it is, and precede bulk jobs", async (t) => {
  const [first, second, other] = [chunk(A, 1), chunk(A, 2), chunk(B, 3)];
  const { set, asked, enqueued, hurried, admitChunks } = letInScene([first, second, other]);
  set.awaited = [first];
  set.isBusy = true;
  set.present = inRedis(C, 16);
  t.is(await admitChunks(TENANT), 1);
  t.deepEqual([hurried, enqueued, asked], [[idsOf(first)], [], []]);
  set.isBusy = false;
  set.present = [];
  t.is(await admitChunks(TENANT), 3);
  t.deepEqual(hurried[1], idsOf(first));
  t.deepEqual(enqueued, [idsOf(second, other)], "each enters once");
});

test("chunks that an interactive request awaits still wait until their own caller has its response", async (t) => {
  const fresh = chunk(A, 1, NOW);
  const { set, hurried, turns, admitChunks } = letInScene([fresh]);
  set.awaited = [fresh];
  t.is(await admitChunks(TENANT), 0);
  t.deepEqual([hurried, turns], [[], [""]], "the store is checked again");
  set.confirmed = new Set([`${A}/1`]);
  t.is(await admitChunks(TENANT), 1);
  t.deepEqual(hurried, [idsOf(fresh)]);
});

test("if Redis refuses awaited chunks, nothing else enters in that pass", async (t) => {
  const { set, asked, admitChunks } = letInScene([chunk(A, 1)]);
  set.awaited = [chunk(B, 1)];
  set.takes = false;
  t.is(await admitChunks(TENANT), undefined);
  t.deepEqual(asked, []);
});

test("a store with its full share in Redis gets no more awaited chunks: its existing jobs are promoted", async (t) => {
  const [low, next] = [chunk(D, 1), chunk(D, 200)];
  const { set, hurried, admitChunks } = letInScene([]);
  set.awaited = [low, next];
  set.present = inRedis(D, 8);
  t.is(await admitChunks(TENANT), 1);
  t.deepEqual(hurried, [idsOf(low)]);
});
