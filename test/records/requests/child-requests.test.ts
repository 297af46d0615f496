import test, { type ExecutionContext } from "ava";
import type { Db } from "mongodb";
import { createAcceptance } from "../../../records/requests/accept.ts";
import { openChildRequests, type WantedChildren } from "../../../records/requests/child-requests.ts";
import { isVoid, journalCollection, openJournal } from "../../../records/requests/journal.ts";
import { counterCollection, openNumbers } from "../../../records/requests/numbers.ts";
import { wrapped } from "../../harness/databases/wrapped-db.ts";
import { ownDatabase } from "../../harness/own.ts";

const database = ownDatabase();

/** A paused test's requests are in time, so the numbers are those that were drawn first. */
const patiently = (db: Db) => openChildRequests(db, 600_000);

/** Journals a request in a store created by the test; returns the child requests of its row in two other stores. */
async function aParent(name: string): Promise<WantedChildren> {
  const accept = createAcceptance(database.db, () => performance.now(), 600_000);
  const parentOf = { store: `t/demo/s/${name}`, operation: "bulk-links", rows: [{}], ordered: true };
  const [parent] = await accept(parentOf);
  return {
    parent: parent?._id ?? "",
    stamp: 7,
    stores: [`t/demo/s/${name}-north`, `t/demo/s/${name}-south`],
    request: { operation: "store-links", rows: [{ itemIds: ["milk"] }], weights: [1], ordered: true },
    urgency: "bulk",
  };
}

/** Asserts that each store has one valid child request, and that the parent's chunk names it. */
async function hasOneChildEach(t: ExecutionContext, { parent, stores }: WantedChildren): Promise<number[]> {
  const journal = journalCollection(database.db);
  const children = (await journal.findOne({ _id: parent }))?.children ?? [];
  t.deepEqual(children.map(({ store }) => store).toSorted(), [...stores].toSorted());
  for (const store of stores) {
    const alive = (await journal.find({ store }).toArray()).filter((chunk) => !isVoid(chunk));
    t.deepEqual(
      alive.map(({ number }) => number),
      children.filter((child) => child.store === store).map(({ number }) => number),
    );
    t.like(alive[0], { operation: "store-links", ordered: true, urgency: "bulk", open: true, size: 1 });
  }
  return children.map(({ number }) => number);
}

test("a row has one child request in each store that it names, with that store's next number", async (t) => {
  const wanted = await aParent("plain");
  const chunks = await patiently(database.db)(wanted);
  t.deepEqual(chunks.map(({ store }) => store).toSorted(), [...wanted.stores].toSorted());
  t.deepEqual(await hasOneChildEach(t, wanted), [1, 1]);
});

test("a retry finds the same child requests and does not change those applied in the meantime", async (t) => {
  const wanted = await aParent("repeated");
  const acceptChildren = patiently(database.db);
  const [first] = await acceptChildren(wanted);
  const settled = [{ itemId: "milk", status: "SUCCESS" as const, errors: [] }];
  const journal = openJournal(database.db, () => new Date());
  await journal.settle(new Map([[first?._id ?? "", settled]]));
  const before = await journalCollection(database.db).findOne({ _id: first?._id ?? "" });
  t.deepEqual(
    (await acceptChildren(wanted)).map(({ _id }) => _id),
    wanted.stores.map((store) => `${store}/requests/1/0`),
  );
  t.deepEqual(await journalCollection(database.db).findOne({ _id: first?._id ?? "" }), before);
});

test("another row of the chunk has its own child requests", async (t) => {
  const wanted = await aParent("rows");
  const acceptChildren = patiently(database.db);
  await acceptChildren(wanted);
  const ofSecondRow = await acceptChildren({ ...wanted, stamp: 8 });
  t.deepEqual(
    ofSecondRow.map(({ number }) => number),
    [2, 2],
  );
});

test("a store without a child request gets one in addition to the other stores' requests", async (t) => {
  const wanted = await aParent("partly");
  const acceptChildren = patiently(database.db);
  const [first] = await acceptChildren({ ...wanted, stores: wanted.stores.slice(0, 1) });
  const chunks = await acceptChildren(wanted);
  t.deepEqual(chunks.map(({ store }) => store).toSorted(), [...wanted.stores].toSorted());
  t.true(chunks.some(({ _id }) => _id === first?._id));
  t.deepEqual(await hasOneChildEach(t, wanted), [1, 1]);
});

test("a row that names no other store has no child request", async (t) => {
  t.deepEqual(await patiently(database.db)({ ...(await aParent("alone")), stores: [] }), []);
});

test("processes that apply one chunk concurrently create each child request once", async (t) => {
  const wanted = await aParent("together");
  const processes = Array.from({ length: 8 }, () => patiently(database.db)(wanted));
  const numbers = (await Promise.all(processes)).map((chunks) =>
    chunks
      .map(({ _id }) => _id)
      .toSorted()
      .join(),
  );
  t.is(new Set(numbers).size, 1);
  await hasOneChildEach(t, wanted);
});

test("surplus numbers that another process has drawn are settled, so that no request waits for them", async (t) => {
  const wanted = await aParent("superfluous");
  const processes = Array.from({ length: 8 }, () => patiently(database.db)(wanted));
  const [chunks = []] = await Promise.all(processes);
  const journal = openJournal(database.db, () => new Date());
  await journal.settle(new Map(chunks.map(({ _id }) => [_id, []])));
  const numbers = openNumbers(database.db, () => performance.now());
  for (const store of wanted.stores) {
    const drawn = (await counterCollection(database.db).findOne({ _id: store }))?.number ?? 0;
    t.true(drawn > 1, "several processes have reserved numbers");
    t.is(await numbers.settledThrough(store), drawn);
  }
});

/** The database of a process that is killed at its n-th call, either before the call or after it (`isDone`). */
function killedAt(call: number, isDone: boolean): { db: Db; isKilled(): boolean } {
  let calls = 0;
  const killed = async (run: () => Promise<unknown>) => {
    calls += 1;
    if (calls > call) throw new Error("killed");
    if (calls < call) return run();
    if (isDone) await run();
    throw new Error("killed");
  };
  const collection = (name: string) =>
    new Proxy(database.db.collection(name), {
      get(target, method) {
        const value = Reflect.get(target, method);
        if (typeof value !== "function") return value;
        if (method === "find")
          return (...given: unknown[]) => ({ toArray: () => killed(() => value.apply(target, given).toArray()) });
        return (...given: unknown[]) => killed(() => value.apply(target, given));
      },
    });
  return { db: { collection } as unknown as Db, isKilled: () => calls >= call };
}

for (const isDone of [false, true]) {
  test(`if a process is killed ${isDone ? "after" : "before"} any call, each child request is created once`, async (t) => {
    let kills = 0;
    for (let call = 1; ; call += 1) {
      const wanted = await aParent(`killed-${isDone ? "after" : "before"}-${call}`);
      const { db, isKilled } = killedAt(call, isDone);
      await patiently(db)(wanted).catch((error: Error) => t.is(error.message, "killed"));
      if (!isKilled()) break;
      kills += 1;
      await patiently(database.db)(wanted);
      await hasOneChildEach(t, wanted);
    }
    t.true(kills >= 6, `${kills} calls`);
  });
}

test("a number whose request was not journaled in time is settled, and another number is drawn", async (t) => {
  const wanted = await aParent("late");
  const journal = journalCollection(database.db);
  const [store = ""] = wanted.stores;
  const { db } = killedAt(4, true);
  await t.throwsAsync(openChildRequests(db)({ ...wanted, stores: [store] }), { message: "killed" });
  const reserved = (await journal.findOne({ _id: wanted.parent }))?.children ?? [];
  t.is(reserved.length, 1, "the process was killed after it stored its number on the chunk");
  const longAgo = reserved.map((child) => ({ ...child, drawnAt: new Date(Date.now() - 60_000) }));
  await journal.updateOne({ _id: wanted.parent }, { $set: { children: longAgo } });
  await journal.deleteMany({ store });

  const [child] = await openChildRequests(database.db)({ ...wanted, stores: [store] });
  // On a slow machine, the new request may be late as well.
  const number = child?.number ?? 0;
  t.true(number >= 2);
  await hasOneChildEach(t, { ...wanted, stores: [store] });
  const numbers = openNumbers(database.db, () => performance.now());
  t.is(await numbers.settledThrough(store), number - 1, "no request waits for an unused number");
});

test("a parent that is no longer in the journal has no child requests", async (t) => {
  const wanted = { ...(await aParent("forgotten")), parent: "t/demo/s/nowhere/requests/1/0" };
  await t.throwsAsync(patiently(database.db)(wanted), { message: /no longer in the journal/ });
});

test("if one store's number cannot be drawn the row waits, and the other stores' numbers are settled", async (t) => {
  const wanted = await aParent("refused");
  const [north = "", south = ""] = wanted.stores;
  const failing = wrapped(database.db, async (_, method, [filter], call) => {
    if (method === "findOneAndUpdate" && (filter as { _id?: string })._id === south) throw new Error("no number");
    return call();
  });
  await t.throwsAsync(patiently(failing)(wanted), { message: "no number" });
  t.deepEqual((await journalCollection(database.db).findOne({ _id: wanted.parent }))?.children ?? [], []);
  const numbers = openNumbers(database.db, () => performance.now());
  t.is(await numbers.settledThrough(north), 1);
});

test("if one number was not journaled in time, other stores' numbers stay valid", async (t) => {
  const wanted = await aParent("kept");
  const journal = journalCollection(database.db);
  const [north = "", south = ""] = wanted.stores;
  await patiently(database.db)(wanted);
  const children = (await journal.findOne({ _id: wanted.parent }))?.children ?? [];
  const drawnAt = new Date(Date.now() - 60_000);
  const late = children.map((child) => (child.store === south ? { ...child, drawnAt } : child));
  await journal.updateOne({ _id: wanted.parent }, { $set: { children: late } });
  await journal.deleteMany({ store: south });
  const numberIn = new Map((await openChildRequests(database.db)(wanted)).map(({ store, number }) => [store, number]));
  t.is(numberIn.get(north), 1);
  t.true((numberIn.get(south) ?? 0) >= 2);
  t.is(await journal.countDocuments({ store: north }), 1);
});
