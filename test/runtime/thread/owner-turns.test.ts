import { setImmediate } from "node:timers/promises";
import test from "ava";
import { createOwnerTurns, TurnsFullError } from "../../../runtime/thread/owner-turns.ts";

const BOUNDS = { ofOwner: 3, inAll: 5 };

/** Work that ends on demand, and that records when it begins. */
function createWorks() {
  const begun: string[] = [];
  const open: (() => void)[] = [];
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<string>();
      open.push(() => resolve(name));
      return promise;
    },
    end: () => open.shift()?.(),
  };
}

test("one task runs at a time, and owners take turns, however many tasks one of them has waiting", async (t) => {
  const { begun, work, end } = createWorks();
  const inTurn = createOwnerTurns(BOUNDS);
  const done = [
    ...["a1", "a2", "a3", "a4"].map((name) => inTurn("a", work(name))),
    ...["b1", "b2"].map((name) => inTurn("b", work(name))),
  ];
  for (const finished of ["a1", "a2", "b1", "a3", "b2", "a4"]) {
    while (begun.at(-1) !== finished) await setImmediate();
    end();
  }
  t.deepEqual(await Promise.all(done), ["a1", "a2", "a3", "a4", "b1", "b2"]);
  t.deepEqual(begun, ["a1", "a2", "b1", "a3", "b2", "a4"]);
});

test("a task beyond its owner's limit, or the total limit, is refused and not started", async (t) => {
  const { begun, work, end } = createWorks();
  const inTurn = createOwnerTurns(BOUNDS);
  const waiting = ["a", "a", "a", "a", "b", "b"].map((owner) => inTurn(owner, work(owner)));
  await t.throwsAsync(inTurn("a", work("a")), {
    instanceOf: TurnsFullError,
    message: "work of size 3 of this owner is already waiting",
  });
  const full = await t.throwsAsync(inTurn("c", work("c")), { instanceOf: TurnsFullError });
  t.false(full.isOfOwner);
  for (const _ of waiting) {
    const before = begun.length;
    end();
    while (begun.length === before && begun.length < waiting.length) await setImmediate();
  }
  await Promise.all(waiting);
  t.false(begun.includes("c"));
});

test("a larger task uses more of the limit, and a task of any size may wait if it is the only one", async (t) => {
  const { begun, work, end } = createWorks();
  const inTurn = createOwnerTurns(BOUNDS);
  const done = [inTurn("a", work("a")), inTurn("a", work("a"), 4)];
  const refused = await t.throwsAsync(inTurn("a", work("a")), { instanceOf: TurnsFullError });
  t.true(refused.isOfOwner);
  done.push(inTurn("b", work("b")));
  await t.throwsAsync(inTurn("c", work("c")), { instanceOf: TurnsFullError, message: /size 5 of all owners/ });
  for (const [index] of done.entries()) {
    while (begun.length <= index) await setImmediate();
    end();
  }
  t.deepEqual(await Promise.all(done), ["a", "a", "b"]);
});

test("a failed task ends its turn", async (t) => {
  const inTurn = createOwnerTurns(BOUNDS);
  const fail = async () => {
    throw new Error("failed");
  };
  await t.throwsAsync(inTurn("a", fail), { message: "failed" });
  t.is(await inTurn("a", async () => 1), 1);
});
