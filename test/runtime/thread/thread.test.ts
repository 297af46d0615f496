import test from "ava";
import { createThread, ThreadError } from "../../../runtime/thread/thread.ts";

/** A thread program that does what each order says. */
const program = new URL("./thread-program.ts", import.meta.url);
const bounds = { timeoutMs: 120_000, processorMs: 60_000, idleMs: 60_000, memoryMb: 32 };
const open = (change: Partial<typeof bounds> = {}) =>
  createThread<{ do: string; say?: number }, number>(program, { ...bounds, ...change });

test("each order returns its result, in the order of arrival", async (t) => {
  const { run: ask } = open();
  const answers = await Promise.all([1, 2, 3].map((say) => ask({ do: "say", say })));
  t.deepEqual(answers, [1, 2, 3]);
});

test("an order that awaits something is not overtaken by the next, and each returns its own result", async (t) => {
  const { run: ask } = open();
  const answers = await Promise.all([ask({ do: "say late", say: 1 }), ask({ do: "say", say: 2 })]);
  t.deepEqual(answers, [1, 2]);
});

for (const [what, action, change, reason] of [
  ["never ends", "loop", { processorMs: 1_000 }, /more than 1 seconds of processor time/],
  ["never answers", "wait", { timeoutMs: 1_000 }, /longer than 1 seconds/],
  ["throws", "throw", {}, /of no sense/],
  ["ends its thread", "exit", {}, /its thread ended/],
  ["uses more memory than is available", "eat", {}, /memory/],
] as const) {
  test(`an order that ${what} is refused, and the next order returns its result`, async (t) => {
    const { run: ask } = open(change);
    const error = await t.throwsAsync(ask({ do: action }), { instanceOf: ThreadError, message: reason });
    t.is(error?.isLate, action === "wait", "only a wait may be the fault of a busy machine");
    t.is(await open().run({ do: "say", say: 1 }), 1);
    if (action !== "wait") t.is(await ask({ do: "say", say: 2 }), 2);
  });
}

test("a closed thread ends after its orders, and a later order gets a new thread", async (t) => {
  const { run, close } = open();
  const name = await run({ do: "name" });
  const last = run({ do: "say late", say: 1 });
  close();
  t.is(await last, 1);
  t.not(await run({ do: "name" }), name);
});

test("after an order crashes the thread, a new thread runs the waiting orders", async (t) => {
  const { run: ask } = open();
  const before = ask({ do: "say", say: 1 });
  const broken = t.throwsAsync(ask({ do: "exit" }), { instanceOf: ThreadError });
  const later = Promise.all([2, 3, 4].map((say) => ask({ do: "say", say })));
  t.is(await before, 1);
  await broken;
  t.deepEqual(await later, [2, 3, 4]);
});
