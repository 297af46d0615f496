import test from "ava";
import { createChild } from "../../../queues/worker/child.ts";
import { ThreadError } from "../../../queues/worker/thread.ts";

const thread = new URL("./thread-program.ts", import.meta.url);
const bounds = {
  ...{ timeoutMs: 120_000, processorMs: 60_000, idleMs: 60_000 },
  ...{ memoryMb: 32, wasmMb: 32, residentMb: 400 },
};
const open = (change: Partial<typeof bounds> = {}) =>
  createChild<{ do: string; say?: number }, number>(thread, { ...bounds, ...change });

test("each order of a process has its answer, in the order in which they came", async (t) => {
  const ask = open();
  t.deepEqual(await Promise.all([1, 2, 3].map((say) => ask({ do: "say", say }))), [1, 2, 3]);
});

for (const [what, action, change, reason] of [
  ["never ends", "loop", { processorMs: 1_000 }, /more than 1 seconds of processor time/],
  ["never answers", "wait", { timeoutMs: 1_000 }, /longer than 1 seconds/],
  ["throws", "throw", {}, /of no sense/],
  ["ends its thread", "exit", {}, /its thread ended/],
  ["takes more heap than there is", "eat", {}, /memory/],
  ["takes more memory outside of the heap", "fill", {}, /needs more than 400 MB of memory/],
  ["takes more memory of WebAssembly", "grow", {}, /Unable to grow instance memory|Maximum memory size exceeded/],
] as const) {
  test(`an order that ${what} ends its process and not this one, and the next order is answered`, async (t) => {
    const ask = open(change);
    await t.throwsAsync(ask({ do: action }), { instanceOf: ThreadError, message: reason });
    if (action !== "wait") t.is(await ask({ do: "say", say: 2 }), 2);
  });
}

test("a process that runs orders has no environment, so no secret", async (t) => {
  t.is(await open()({ do: "read secrets", say: 1 }), 1);
});
