import { randomUUID } from "node:crypto";
import test from "ava";
import type { Commit } from "../../../queues/changes/commit.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { idOf } from "../../../schemas/keys.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import { createAskFingerprints } from "../../../workers/transmitter/ask-fingerprints.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { manyServers } from "./air/many-servers.ts";
import { transmitScene } from "./scene.ts";
import { at } from "./states.ts";

const own = ownSystem();
const position = { x: 1, y: 2, floor: 0 };
const due = (stamp = 7) => ({ fingerprint: { stamp, due: at(0) } });

/**
 * The process that requests fingerprints, with events before its first write (the claim) or its second (the response).
 */
function scene() {
  const all = transmitScene(own);
  const { db, records, commit } = own.system;
  const store = `t/${randomUUID()}/s/main`;
  const before: (() => Promise<unknown>)[] = [];
  const change: Commit["change"] = async (...given) => {
    await before.shift()?.();
    return commit.change(...given);
  };
  const set = (key: string, fingerprint: LabelState["fingerprint"]) =>
    commit.change(labelStates, [key], (_, state) => state && { ...state, fingerprint }, "bulk");
  const ask = createAskFingerprints({
    quietStores: async () => () => undefined,
    ...{ db, records, commit: { ...commit, change }, labelServers: all.labelServer.servers, now: () => all.clock.now },
  });
  return {
    ...{ ...all, ask, before, set, store },
    hang: (state: Partial<LabelState> = due(), isPlaced = true) =>
      all.hang(state, isPlaced ? { manualPosition: position } : {}, store),
    asked: () => all.labelServer.orders.filter((order) => order.store === store).map(({ barcode }) => barcode),
  };
}

test.serial(
  "a measurement is not sent if another process claims it or a caller cancels it before the claim",
  async (t) => {
    const { hang, ask, before, set, asked } = scene();
    const [claimed, removed, mine] = [await hang(), await hang(), await hang()];
    before.push(async () => {
      await set(claimed, { stamp: 7, due: at(60) });
      await set(removed, undefined);
    });
    await ask();
    t.deepEqual(asked(), [idOf(mine)]);
  },
);

test.serial("a measurement requested again while the previous request is being sent stays due", async (t) => {
  const { hang, ask, before, set, read } = scene();
  const [anew, removed, finished] = [await hang(), await hang(), await hang()];
  const next = { stamp: 9, due: at(1) };
  before.push(
    async () => undefined,
    async () => {
      await set(anew, next);
      await set(removed, undefined);
      await set(finished, { stamp: 7 });
    },
  );
  await ask();
  t.deepEqual((await read(anew)).fingerprint, next);
  t.is((await read(removed)).fingerprint, undefined);
  t.deepEqual((await read(finished)).history ?? [], []);
});

test.serial(
  "a label's fingerprint is requested even without a transceiver, since the label server knows which to use",
  async (t) => {
    const { hang, ask, labelServer, departments, store, asked } = scene();
    const nowhere = await hang();
    await ask();
    t.deepEqual(asked(), [idOf(nowhere)]);
    t.deepEqual(labelServer.orders.at(-1)?.transceivers, []);
    await departments(store, { floor: [] });
    await hang();
    await ask();
    t.deepEqual(labelServer.orders.at(-1)?.transceivers, []);
    await departments(store, { floor: ["T1", "T2"] });
    await hang();
    await ask();
    t.deepEqual(labelServer.orders.at(-1)?.transceivers, ["T1", "T2"]);
  },
);

test.serial("a label that does not exist or has no position is not measured, and its claim expires", async (t) => {
  const { hang, ask, read, asked, set, clock } = scene();
  const unplaced = await hang(due(), false);
  const gone = `${unplaced}-gone`;
  await own.system.commit.change(labelStates, [gone], () => ({ ...({} as LabelState), sent: [], ...due() }), "bulk");
  await ask();
  t.deepEqual(asked(), []);
  t.deepEqual((await read(unplaced)).fingerprint, { stamp: 7, due: at(60) });
  t.deepEqual((await read(gone)).fingerprint, { stamp: 7, due: at(60) });
  await set(gone, undefined);
  clock.now = at(59);
  await ask();
  t.deepEqual((await read(unplaced)).fingerprint?.due, at(60));
  clock.now = at(60);
  await ask();
  t.deepEqual((await read(unplaced)).fingerprint?.due, at(120));
  await set(unplaced, undefined);
});

test.serial("a hanging label server does not delay other label servers' measurements", async (t) => {
  const { labelServers, hanging, others, release } = await manyServers(4, 1);
  const { hang, clock } = transmitScene(own);
  const { db, records, commit } = own.system;
  const quietStores = async () => () => undefined;
  const ask = createAskFingerprints({ ...{ db, records, commit, labelServers, quietStores }, now: () => clock.now });
  const hangEach = () =>
    Promise.all([...hanging, ...others].map(({ store }) => hang(due(), { manualPosition: position }, store)));
  await hangEach();
  const asking = [ask()];
  await eventually("the others measure", async () => others.every(({ server }) => server.orders.length === 1));
  await hangEach();
  await eventually("the others measure again", async () => {
    asking.push(ask());
    return others.every(({ server }) => server.orders.length === 2);
  });
  t.deepEqual(
    hanging.map(({ server }) => server.orders.length),
    [1],
  );
  release();
  await Promise.all(asking);
});
