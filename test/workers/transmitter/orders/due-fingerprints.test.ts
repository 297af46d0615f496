import test from "ava";
import { labelStates } from "../../../../records/kinds/labels.ts";
import { idOf } from "../../../../schemas/keys.ts";
import { createAskFingerprints } from "../../../../workers/transmitter/ask-fingerprints.ts";
import { ownSystem } from "../../../harness/own.ts";
import { STORE } from "../scene.ts";
import { at } from "../states.ts";
import { ordersScene } from "./scene.ts";

const own = ownSystem();
const position = { x: 1, y: 2, floor: 3 };

/** Labels whose fingerprints are requested when they are due. */
function fingerprintScene() {
  const scene = ordersScene(own);
  const { db, records, commit } = own.system;
  const ask = createAskFingerprints({
    quietStores: async () => () => undefined,
    ...{ db, records, commit, labelServers: scene.labelServer.servers },
    now: () => scene.clock.now,
  });
  return { ...scene, ask };
}

test.serial("a due fingerprint is requested once, at the label's position", async (t) => {
  const { hang, ask, labelServer, history, read, departments } = fingerprintScene();
  await departments(STORE, { floor: ["T1"] });
  const key = await hang({ fingerprint: { stamp: 7, due: at(0) } }, { manualPosition: position });
  const later = await hang({ fingerprint: { stamp: 7, due: at(1) } }, { manualPosition: position });
  await ask();
  t.deepEqual(labelServer.orders, [
    {
      ...{ store: STORE, barcode: idOf(key), number: 7, transceivers: ["T1"] },
      ...{ order: "fingerprint", priority: "low", body: { position } },
    },
  ]);
  t.deepEqual((await read(key)).fingerprint, { stamp: 7 });
  t.like(await history(key), { length: 1, 0: { event: "fingerprint", result: "sent" } });
  t.deepEqual((await read(later)).fingerprint, { stamp: 7, due: at(1) });
  await ask();
  t.is(labelServer.orders.length, 1);
});

test.serial("if concurrent processes find the same due fingerprint, only one requests it", async (t) => {
  const { hang, ask, labelServer } = fingerprintScene();
  await hang({ fingerprint: { stamp: 7, due: at(0) } }, { manualPosition: position });
  await Promise.all([ask(), ask()]);
  t.is(labelServer.orders.length, 1);
});

test.serial("a postponed fingerprint is due again after its delay, and a refused fingerprint is not", async (t) => {
  const { hang, ask, labelServer, history, read } = fingerprintScene();
  const key = await hang({ fingerprint: { stamp: 7, due: at(0) } }, { manualPosition: position });
  labelServer.set.answer = { kind: "later", afterMs: 5_000 };
  await ask();
  t.deepEqual((await read(key)).fingerprint, { stamp: 7, due: at(5) });
  t.deepEqual(await history(key), []);
  const refused = await hang({ fingerprint: { stamp: 8, due: at(0) } }, { manualPosition: position });
  labelServer.set.answer = { kind: "refused", reason: "no antenna" };
  await ask();
  t.deepEqual((await read(refused)).fingerprint, { stamp: 8 });
  t.like(await history(refused), { length: 1, 0: { result: "refused", reason: "no antenna" } });
});

test.serial(
  "labels without a position, and all labels while the label server is unreachable, are not measured",
  async (t) => {
    const { hang, ask, labelServer, read } = fingerprintScene();
    const removed = await hang({ fingerprint: { stamp: 7, due: at(0) } });
    const away = await hang({ fingerprint: { stamp: 7, due: at(0) } }, { manualPosition: position });
    labelServer.set.isAway = true;
    await ask();
    t.deepEqual((await read(away)).fingerprint?.due, at(0));
    labelServer.set.isAway = false;
    await ask();
    t.deepEqual(
      labelServer.orders.map(({ barcode }) => barcode),
      [idOf(away)],
    );
    // A killed process's claim ends with its lease.
    t.deepEqual((await read(removed)).fingerprint, { stamp: 7, due: at(60) });
  },
);

test.serial("a response for an older position does not end the request for a newer position", async (t) => {
  const { hang, ask, labelServer, read, history } = fingerprintScene();
  const key = await hang({ fingerprint: { stamp: 7, due: at(0) } }, { manualPosition: position });
  const released = Promise.withResolvers<void>();
  labelServer.set.held = released.promise;
  const asking = ask();
  while (labelServer.orders.length === 0) await new Promise(setImmediate);
  const { commit } = own.system;
  const newer = { stamp: 9, due: at(0) };
  await commit.change(labelStates, [key], (_, state) => state && { ...state, fingerprint: newer }, "bulk");
  released.resolve();
  await asking;
  t.deepEqual((await read(key)).fingerprint, newer);
  t.deepEqual(await history(key), []);
});
