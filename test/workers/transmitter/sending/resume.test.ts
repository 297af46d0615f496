import test from "ava";
import { labelStates } from "../../../../records/kinds/labels.ts";
import { idOf } from "../../../../schemas/keys.ts";
import type { LabelState } from "../../../../schemas/label-state.ts";
import { ownSystem } from "../../../harness/own.ts";
import { transmitScene, wanting } from "../scene.ts";
import { at } from "../states.ts";

const own = ownSystem();
test.beforeEach(() => own.system.db.collection(labelStates.name).deleteMany({}));

/** Labels whose transmission 7 was accepted at second 0 and is not acknowledged, and a process that has resumed. */
async function inFlightScene(count: number, more: Partial<LabelState> = {}) {
  const scene = transmitScene(own, { concurrency: 4 });
  await scene.resume();
  const image = await scene.storePicture("a");
  const sending = { page: 0, image, number: 7 };
  const state = { ...wanting(image), sending, sent: [sending], transmissions: 7, tries: 3, sendDue: at(8), ...more };
  const keys: string[] = [];
  for (let index = 0; index < count; index += 1) keys.push(await scene.hang(state));
  const sent = () => scene.labelServer.pages.map(({ barcode, number }) => [barcode, number]);
  return { ...scene, keys, sent };
}

test.serial(
  "what a restarting label server had in flight is sent again under its number, without costing an attempt",
  async (t) => {
    const { labelServer, resume, clock, keys, sent, read } = await inFlightScene(2);
    clock.now = at(1);
    await resume();
    t.deepEqual(sent(), [], "while the label server runs, it keeps what it accepted");
    labelServer.set.restartedAt = at(1).getTime();
    clock.now = at(1.1);
    await resume();
    t.deepEqual(sent().toSorted(), keys.map((key) => [idOf(key), 7]).toSorted());
    t.is((await read(keys[0] ?? "")).tries, 3);
    clock.now = at(1.2);
    await resume();
    t.is(sent().length, 2, "once");
  },
);

test.serial(
  "many transmissions to a restarted label server are spread over time at its rate, and none is lost",
  async (t) => {
    const { labelServer, resume, sendDue, clock, keys, sent, read } = await inFlightScene(40);
    labelServer.set.restartedAt = at(1).getTime();
    clock.now = at(1.1);
    await resume();
    t.is(sent().length, 4, "as many as may run concurrently");
    const dues = await Promise.all(keys.map(async (key) => (await read(key)).sendDue?.getTime() ?? 0));
    const waiting = dues.filter((due) => due < at(3).getTime()).toSorted((a, b) => a - b);
    const gaps = waiting.slice(1).map((due, index) => due - (waiting[index] ?? 0));
    t.deepEqual(new Set(gaps), new Set([25]), "40 calls a second, since each of the four is assumed to take 100 ms");
    clock.now = at(3);
    await sendDue();
    t.is(new Set(sent().map(([barcode]) => barcode)).size, 40);
  },
);

test.serial(
  "after a restart, neither a label in ERROR nor a label with nothing under way is due earlier",
  async (t) => {
    const { labelServer, resume, clock, sent, hang, read } = await inFlightScene(1, { givenUp: "no report" });
    const idle = await hang({ sendDue: at(9) });
    labelServer.set.restartedAt = at(1).getTime();
    clock.now = at(1.1);
    await resume();
    t.deepEqual(sent(), []);
    t.deepEqual((await read(idle)).sendDue, at(9));
  },
);
