import test from "ava";
import { verifyChain } from "../../../domain/activity/chain.ts";
import { createKeepActivity } from "../../../queues/activity/keep-activity.ts";
import { openActivityLog } from "../../../records/activity/activity-log.ts";
import { openCallNotes } from "../../../records/activity/call-notes.ts";
import { openJournal } from "../../../records/requests/journal.ts";
import type { Actor } from "../../../schemas/actor.ts";
import { storeKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const ana: Actor = { kind: "user", id: "ana", channel: "pages" };
const parts = () => {
  const { db, now } = own.system;
  return { ...own.system, activityLog: openActivityLog(db), callNotes: openCallNotes(db, now) };
};
const keep = (differs: Partial<Parameters<typeof createKeepActivity>[0]> = {}) =>
  createKeepActivity({ ...parts(), ...differs })();
const entriesOf = async (store: string) => (await Array.fromAsync(parts().activityLog.scan(store))).flat();

async function accept(store: string, rows = 1, isApplied = true) {
  const chunks = await own.system.accept({
    store,
    operation: "patch-items",
    rows: Array.from({ length: rows }, (_, index) => ({ itemId: `item ${index}`, price: "1.99" })),
    ordered: true,
    cause: { call: "a call", actor: ana },
  });
  if (isApplied) await settle(chunks);
  return chunks;
}
const settle = (chunks: readonly { _id: string }[]) =>
  openJournal(own.system.db, own.system.now).settle(new Map(chunks.map(({ _id }) => [_id, []])));

async function isWhole(store: string): Promise<boolean> {
  const { activityLog } = parts();
  const end = (await activityLog.readEnds([store])).get(store);
  if (end === undefined) return false;
  const { faults } = await verifyChain({ begin: end.expired ?? { place: 0, hash: "" }, end }, [await entriesOf(store)]);
  return faults.length === 0;
}

test.serial("each applied request is logged once, in number order, with its actor", async (t) => {
  const store = storeKey("demo", "orders");
  await accept(store);
  await accept(store, 2_500);
  for (let pass = 0; pass < 2; pass += 1) await keep();
  await accept(store);
  await keep();
  t.deepEqual(
    (await entriesOf(store)).map(({ place, request, part, actor }) => [place, request, part, actor?.id]),
    [
      [1, 1, 0, "ana"],
      [2, 2, 0, "ana"],
      [3, 2, 1, "ana"],
      [4, 2, 2, "ana"],
      [5, 3, 0, "ana"],
    ],
  );
  t.true(await isWhole(store));
});

test.serial("requests after an open request are not logged until the open request is settled", async (t) => {
  const store = storeKey("demo", "open");
  const open = await accept(store, 1, false);
  await accept(store);
  await keep();
  t.deepEqual(await entriesOf(store), []);
  await settle(open);
  await keep();
  t.deepEqual(
    (await entriesOf(store)).map(({ request }) => request),
    [1, 2],
  );
});

test.serial("after a process is killed, another process continues: no entry is missing or duplicated", async (t) => {
  const store = storeKey("demo", "killed");
  const tenantNote = { actor: ana, operation: "putStore", names: { storeId: "killed" }, fields: ["name"] };
  for (let count = 0; count < 4; count += 1) await accept(store, 1_001);
  await parts().callNotes.begin(store, tenantNote, "DONE");
  for (let most = 1; most <= 9; most += 2) {
    const { activityLog } = parts();
    let left = most;
    const killed: typeof activityLog = {
      ...activityLog,
      async append(end, contents) {
        const added = await activityLog.append(end, contents.slice(0, left));
        left -= added.length;
        if (left === 0) throw new Error("killed");
        return added;
      },
    };
    await keep({ activityLog: killed }).catch(() => {});
  }
  await keep();
  const entries = await entriesOf(store);
  t.deepEqual(
    entries.map(({ operation, request, part }) => (request === undefined ? operation : `${request}/${part}`)),
    ["putStore", "1/0", "1/1", "2/0", "2/1", "3/0", "3/1", "4/0", "4/1"],
  );
  t.true(await isWhole(store));
});

test.serial("a held request's outcome is logged once, even if the process is killed after any step", async (t) => {
  const store = storeKey("demo", "held");
  const { holds, carryOutHold, numbers } = own.system;
  const hold = { state: "WAITING", open: true, mark: "a mark", sentBy: ana, expiresAt: new Date() } as const;
  const rows = Array.from({ length: 2_001 }, (_, index) => ({ itemId: `item ${index}`, price: "9.00" }));
  const guarded = { ...hold, whole: [], rows: [], count: 1, digest: "" };
  await own.system.accept({ store, operation: "patch-items", rows, ordered: true, hold: guarded });
  await accept(store);
  await keep();
  t.is(await numbers.settledThrough(store), 2);
  const held = await holds.read(store, 1);
  if (held === undefined) return t.fail();
  t.true(await holds.change(store, 1, held.hold, { state: "REFUSED", decision: { at: new Date() } }));
  const refused = { ...held, hold: { ...held.hold, state: "REFUSED" } } as const;
  await carryOutHold.decided(refused);
  for (let part = 0; part < 3; part += 1) {
    const { activityLog } = parts();
    const killed: typeof activityLog = {
      ...activityLog,
      async append(end, contents) {
        await activityLog.append(end, contents.slice(0, 1));
        throw new Error("killed");
      },
    };
    await keep({ activityLog: killed }).catch(() => {});
  }
  await carryOutHold.decided(refused);
  for (let pass = 0; pass < 2; pass += 1) await keep();
  t.deepEqual(
    (await entriesOf(store)).map(({ request, part, status, decision }) => [request, part, status, decision]),
    [
      ...[0, 1, 2].map((part) => [1, part, "HELD", undefined]),
      [2, 0, "DONE", undefined],
      ...[0, 1, 2].map((part) => [1, part, "FAILED", "REFUSED"]),
    ],
  );
  t.true(await isWhole(store));
});

test.serial("concurrent processes log each request once", async (t) => {
  const store = storeKey("demo", "together");
  for (let count = 0; count < 30; count += 1) await accept(store);
  await Promise.all(Array.from({ length: 4 }, () => keep()));
  await keep();
  t.deepEqual(
    (await entriesOf(store)).map(({ request }) => request),
    Array.from({ length: 30 }, (_, index) => index + 1),
  );
  t.true(await isWhole(store));
});

test.serial("a call that never ended is logged after two minutes, with an unknown outcome", async (t) => {
  const tenant = "t/demo";
  const { callNotes } = parts();
  const note = { actor: ana, operation: "putDesign", names: { designId: "offer" }, fields: ["name"] };
  await callNotes.begin(tenant, note);
  await keep();
  t.deepEqual(await entriesOf(tenant), []);
  await keep({ now: () => new Date(own.system.now().getTime() + 121_000) });
  t.like((await entriesOf(tenant))[0], {
    operation: "putDesign",
    status: "UNKNOWN",
    actor: ana,
    names: { designId: "offer" },
  });
});

test.serial("entries expire in chain order, and the chain stays verifiable", async (t) => {
  const store = storeKey("demo", "expires");
  for (let count = 0; count < 3; count += 1) await accept(store);
  await keep();
  const { activityLog } = parts();
  const [, second] = await entriesOf(store);
  const end = (await activityLog.readEnds([store])).get(store);
  if (end === undefined || second === undefined) throw new Error("nothing was logged");
  await activityLog.forget(end, new Date(Date.parse(second.at) + 1), async () => true);
  const left = await entriesOf(store);
  t.deepEqual(
    left.filter(({ at }) => at <= second.at),
    [],
  );
  t.true(left.length < 3);
  t.true(await isWhole(store));
});
