import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import test from "ava";
import { createChild } from "../../../runtime/thread/child.ts";
import { isOwnFault, ThreadError } from "../../../runtime/thread/thread.ts";
import { unchecked } from "../../harness/part-of.ts";

const thread = new URL("./thread-program.ts", import.meta.url);
const bounds = {
  ...{ timeoutMs: 120_000, processorMs: 60_000, idleMs: 60_000 },
  ...{ memoryMb: 32, wasmMb: 32, residentMb: 400 },
};
const open = (change: Partial<typeof bounds> = {}) =>
  createChild<{ do: string; say?: number }, number>(thread, { ...bounds, ...change });

test("each order to a process returns its result, in the order of arrival", async (t) => {
  const ask = open();
  t.deepEqual(await Promise.all([1, 2, 3].map((say) => ask({ do: "say", say }))), [1, 2, 3]);
});

for (const [what, action, change, reason] of [
  ["never ends", "loop", { processorMs: 1_000 }, /more than 1 seconds of processor time/],
  // On a busy machine, the parent's limit, which includes the start of the process, may end before the process's own.
  ["never answers", "wait", { timeoutMs: 1_000 }, /longer than \d+ seconds/],
  ["throws", "throw", {}, /of no sense/],
  ["ends its thread", "exit", {}, /its thread ended/],
  ["uses more heap than is available", "eat", {}, /memory/],
  ["uses more memory outside the heap", "fill", {}, /needs more than 400 MB of memory/],
  ["uses more WebAssembly memory", "grow", {}, /Unable to grow instance memory|Maximum memory size exceeded/],
] as const) {
  test(`an order that ${what} ends only its own process, and the next order returns its result`, async (t) => {
    const ask = open(change);
    const error = await t.throwsAsync(ask({ do: action }), { instanceOf: ThreadError, message: reason });
    t.is(isOwnFault(error), action !== "wait", "a wait may be the fault of a busy machine");
    if (action !== "wait") t.is(await ask({ do: "say", say: 2 }), 2);
  });
}

test("a process that runs orders has no environment, and therefore no secret", async (t) => {
  t.is(await open()({ do: "read secrets", say: 1 }), 1);
});

/** Runs `action` and returns the processes that it starts; calls `started` immediately with each of them. */
async function startedBy(action: () => Promise<unknown>, started: (child: ChildProcess) => void = () => {}) {
  const children: ChildProcess[] = [];
  const note = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess };
    children.push(child);
    started(child);
  };
  subscribe("child_process", note);
  try {
    return { result: await action(), children };
  } finally {
    unsubscribe("child_process", note);
  }
}

const killed = (child: ChildProcess): void => void child.kill("SIGKILL");

test.serial(
  "an order whose process is killed while it runs is refused, and the next order gets another process",
  async (t) => {
    const ask = open();
    const { children } = await startedBy(() =>
      t.throwsAsync(ask({ do: "die" }), { instanceOf: ThreadError, message: "its process ended" }),
    );
    t.is(children.length, 1, "the order is not tried in another process, which it would also end");
    t.is(await ask({ do: "say", say: 2 }), 2);
  },
);

test.serial("an order that arrives when its idle process is killed, or later, gets another process", async (t) => {
  const ask = open();
  const { children } = await startedBy(() => ask({ do: "say", say: 1 }));
  const [first] = children as [ChildProcess];
  killed(first);
  const next = await startedBy(() => ask({ do: "say", say: 2 }));
  t.like(next, { result: 2, children: { length: 1 } });
  const [second] = next.children as [ChildProcess];
  const ended = once(second, "exit");
  second.ref();
  killed(second);
  await ended;
  t.is(await ask({ do: "say", say: 3 }), 3);
});

test.serial("an order whose process is killed during its start gets another process", async (t) => {
  const ask = open();
  let kills = 0;
  const kill = (child: ChildProcess) => {
    kills += 1;
    if (kills === 1) child.once("spawn", () => killed(child));
  };
  t.like(await startedBy(() => ask({ do: "say", say: 1 }), kill), { result: 1, children: { length: 2 } });
});

test.serial(
  "an order is refused if two of its processes are killed while they start, and the error does not blame the order",
  async (t) => {
    const ask = open();
    const kill = (child: ChildProcess) => void child.once("spawn", () => killed(child));
    const { result } = await startedBy(
      () => t.throwsAsync(ask({ do: "say", say: 1 }), { message: /before they started/ }),
      kill,
    );
    t.false(result instanceof ThreadError);
    t.is(await ask({ do: "say", say: 2 }), 2);
  },
);

test.serial("an order that cannot be sent is refused, and the next order returns its result", async (t) => {
  const ask = open();
  await t.throwsAsync(ask({ do: "say", say: unchecked(() => 1) }), { message: /could not be cloned/ });
  t.is(await ask({ do: "say", say: 2 }), 2);
});

test.serial("an order for which earlier orders leave too little memory runs again in a new process", async (t) => {
  const ask = open({ residentMb: 500 });
  const first = await startedBy(() => ask({ do: "hold", say: 120 }));
  const second = await startedBy(() => ask({ do: "hold", say: 330 }));
  t.like(
    [first, second],
    [
      { result: 120, children: { length: 1 } },
      { result: 330, children: { length: 1 } },
    ],
  );
});

const hasRef = (child: ChildProcess): boolean =>
  (child as unknown as { _handle: { hasRef(): boolean } | null })._handle?.hasRef() ?? false;

test.serial("a process that is idle, or that an order has ended, does not keep this process alive", async (t) => {
  const ask = open();
  const { children } = await startedBy(() => ask({ do: "say", say: 2 }));
  t.deepEqual(children.map(hasRef), [false]);
  await t.throwsAsync(ask({ do: "throw" }), { instanceOf: ThreadError });
  t.deepEqual(children.map(hasRef), [false], "even before its end is known here");
});
