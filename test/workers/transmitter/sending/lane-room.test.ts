import test from "ava";
import type { Answer } from "../../../../workers/transmitter/drivers/label-server.ts";
import { MAX_HELD } from "../../../../workers/transmitter/sending/lane.ts";
import { accepted, busy, laneScene, named, toSend } from "./lane-scene.ts";

test("a slow label server has room for a few seconds of calls, and a fast one for more; interactive calls always find room", async (t) => {
  const { set, lane, answer } = laneScene(4);
  t.is(lane.room("bulk"), 16, "nothing is known before its first answer");
  lane.add([toSend("fast")]);
  await answer("fast");
  t.is(lane.room("bulk"), 2000);
  for (let turn = 0; turn < 100; turn += 1) {
    lane.add([toSend("slow")]);
    set.now += 1000;
    await answer("slow");
  }
  t.is(lane.room("bulk"), 20);
  lane.add(named(20));
  t.is(lane.room("bulk"), 0);
  t.true(lane.room("interactive") > 1000);
});

test("a lane that was full reports once when it has room again", async (t) => {
  const { set, lane, answer } = laneScene(1);
  lane.add(named(2000));
  for (let index = 0; index < 999; index += 1) await answer(`label ${index}`);
  t.is(set.roomAgain, 0);
  for (let index = 999; index < 1500; index += 1) await answer(`label ${index}`);
  t.is(set.roomAgain, 1);
});

test("while a process's lanes hold very many transmissions, each lane accepts only what it can send now", async (t) => {
  const held = { transmissions: 0 };
  const { lane, answer } = laneScene(4, held);
  lane.add(named(1));
  await answer("label 0");
  held.transmissions = MAX_HELD;
  t.deepEqual([lane.room("bulk"), lane.room("interactive")], [4, 4]);
});

test("while the label server is unreachable no call begins, and waiting transmissions are postponed", async (t) => {
  const { set, lane, calls, answers, answer } = laneScene(1);
  lane.add(named(10));
  set.isAway = true;
  t.is(lane.room("bulk"), 0);
  t.is(lane.room("interactive"), 0);
  await answer("label 0");
  t.deepEqual([...calls.keys()], []);
  t.deepEqual(
    answers.slice(1).map(([, kind]) => kind),
    Array(9).fill("later"),
  );
});

test("nothing waits behind the trial call to a label server that was unreachable", async (t) => {
  const { set, lane, calls, answer } = laneScene(8);
  lane.add(named(1));
  set.isAway = true;
  await answer("label 0", { kind: "later", afterMs: 3_000, server: "silent" });
  set.isAway = false;
  t.deepEqual([lane.room("bulk"), lane.room("interactive")], [1, 1]);
  lane.add(named(1, "trial"));
  t.deepEqual([lane.room("bulk"), [...calls.keys()]], [0, ["trial 0"]]);
  await answer("trial 0");
  t.true(lane.room("bulk") > 1);
});

test("a busy label server receives fewer concurrent calls, and more again as it accepts them", async (t) => {
  const { lane, calls, answer, set } = laneScene(8);
  lane.add(named(200));
  const answerNext = async (said: Answer) => {
    set.now += 10;
    await answer([...calls.keys()][0] ?? "", said);
  };
  await answerNext(busy);
  for (let count = 0; count < 7; count += 1) await answerNext(accepted);
  t.is(calls.size, 4);
  for (let count = 0; count < 60; count += 1) await answerNext(accepted);
  t.is(calls.size, 8);
});

test("a label server that requests a rest receives no call before the rest ends, then half as many as before", async (t) => {
  const { lane, calls, answer, pass, postponed } = laneScene(4);
  lane.add(named(20));
  pass(1);
  await answer("label 0", { ...busy, restMs: 2_000 });
  for (const key of ["label 1", "label 2", "label 3"]) await answer(key);
  pass(1_999);
  t.deepEqual([calls.size, lane.room("bulk"), lane.room("interactive")], [0, 0, 0]);
  pass(1);
  t.is(calls.size, 2);
  t.is(postponed.length, 1, "the others waited for only a moment");
});

test("a transmission that would wait longer than a moment is postponed by that wait, with the label server's reason", async (t) => {
  const { lane, calls, answer, postponed, held } = laneScene(1);
  lane.add(named(3));
  await answer("label 0", { ...busy, restMs: 60_000 });
  t.is(calls.size, 0);
  t.deepEqual(postponed.slice(1), Array(2).fill({ kind: "later", afterMs: 60_000, reason: "busy" }));
  t.false(lane.has("label 1"));
  t.is(held.transmissions, 0);
});
