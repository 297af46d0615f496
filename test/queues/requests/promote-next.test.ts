import test from "ava";
import { createPromoteNext } from "../../../queues/requests/promote-next.ts";
import type { ChunkHead } from "../../../records/requests/journal.ts";
import { chunkKey } from "../../../schemas/keys.ts";
import { partOf } from "../../harness/part-of.ts";

const STORE = "t/demo/s/main";
/** The chunks of request 8, the store's next request: its first chunk is applied. */
const chunks = [0, 1, 2].map((index) =>
  partOf<ChunkHead>({
    ...{ _id: chunkKey(STORE, 8, index), operation: "delete-items" as const, generation: 3, open: index > 0 },
    urgency: "bulk" as const,
  }),
);

function promoteScene() {
  const set = {
    ...{ isReady: true, isDelayed: true, hasJob: true, isAwaited: false, priority: 10, last: 9 },
    error: undefined as Error | undefined,
  };
  const done: unknown[] = [];
  const job = {
    get priority() {
      return set.priority;
    },
    isDelayed: async () => set.isDelayed,
    promote: async () => void done.push("promoted"),
    changePriority: async ({ priority }: { priority: number }) => void done.push(priority),
  };
  const promoteNext = createPromoteNext({
    numbers: {
      progress: async () => ({ settledThrough: 7, last: set.last }),
      progressAfter: async (_, settled) => ({ settledThrough: settled[0]?.number ?? 0, last: set.last }),
    },
    journal: {
      async readRequest(store: string, number: number) {
        if (set.error) throw set.error;
        return store === STORE && number === 8 ? chunks : [];
      },
    },
    publisher: {
      isReady: () => set.isReady,
      queue: (queue: string) => ({
        async getJob(id: string) {
          done.push([queue, id]);
          return set.hasJob ? job : undefined;
        },
      }),
    },
    openChunks: { isAwaited: async (store, number) => set.isAwaited && store === STORE && number === 8 },
    admitChunks: async (tenant) => {
      done.push(["let in", tenant]);
      return 1;
    },
    onError: (error) => void done.push(error.message),
  });
  return { set, done, promoteNext };
}
const OF_NEXT = ["item", `${chunkKey(STORE, 8, 1)}~3`];
const OF_LAST = ["item", `${chunkKey(STORE, 8, 2)}~3`];

test("if every assigned number is settled, nothing is read or promoted", async (t) => {
  const { set, done, promoteNext } = promoteScene();
  set.last = 7;
  set.error = new Error("the journal was read");
  await promoteNext(STORE);
  t.deepEqual(done, []);
});

test("the job of the first open chunk after the settled numbers is promoted", async (t) => {
  const { done, promoteNext } = promoteScene();
  await promoteNext(STORE);
  t.deepEqual(done, [OF_NEXT, "promoted"]);
});

test("a missing job or a job that does not wait is left unchanged", async (t) => {
  const { set, done, promoteNext } = promoteScene();
  set.isDelayed = false;
  await promoteNext(STORE);
  set.hasJob = false;
  await promoteNext(STORE);
  t.deepEqual(done, [OF_NEXT, OF_NEXT]);
});

test("without an open chunk, or while Redis is down, no job is promoted", async (t) => {
  const { set, done, promoteNext } = promoteScene();
  await promoteNext("t/demo/s/other");
  set.isReady = false;
  await promoteNext(STORE);
  t.deepEqual(done, []);
});

test("an error is reported and not thrown", async (t) => {
  const { set, done, promoteNext } = promoteScene();
  set.error = new Error("MongoDB is unreachable");
  await promoteNext(STORE);
  t.deepEqual(done, ["MongoDB is unreachable"]);
});

test("the jobs of a bulk request that an interactive request awaits precede other bulk jobs", async (t) => {
  const { set, done, promoteNext } = promoteScene();
  set.isAwaited = true;
  await promoteNext(STORE);
  t.deepEqual(done, [OF_NEXT, OF_LAST, 1, 1, OF_NEXT, "promoted"]);
});

test("the bulk request's chunks without a job enter Redis, and jobs that are already urgent are unchanged", async (t) => {
  const { set, done, promoteNext } = promoteScene();
  Object.assign(set, { isAwaited: true, hasJob: false });
  await promoteNext(STORE);
  t.deepEqual(done, [OF_NEXT, OF_LAST, ["let in", "t/demo"], OF_NEXT]);
  done.splice(0);
  Object.assign(set, { hasJob: true, priority: 1, isDelayed: false });
  await promoteNext(STORE);
  t.deepEqual(done, [OF_NEXT, OF_LAST, OF_NEXT]);
});
