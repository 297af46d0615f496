import test from "ava";
import type { PageOfLabel } from "../../../../workers/transmitter/sending/lane.ts";
import { page } from "../serve.ts";
import { laneScene, named, toSend } from "./lane-scene.ts";

test("a label whose call hangs blocks only that call, and other labels' calls continue", async (t) => {
  const { lane, calls, answers, answer } = laneScene(2);
  lane.add(named(50));
  for (let index = 1; index < 50; index += 1) await answer(`label ${index}`);
  t.deepEqual([...calls.keys()], ["label 0"]);
  t.is(answers.length, 49);
  t.true(lane.has("label 0"));
  t.false(lane.has("label 1"));
});

test("a label's transmission that begins before the previous response is sent when that response arrives", async (t) => {
  const { lane, calls, unsent, answer } = laneScene(1);
  const numbered = (number: number): PageOfLabel => ({
    key: "label",
    page: { ...page, barcode: String(number), number },
  });
  lane.add([numbered(1)]);
  lane.add([numbered(2), numbered(1), ...named(3)]);
  t.deepEqual([...calls.keys()], ["1"]);
  await answer("1");
  t.deepEqual([...calls.keys()], ["2"]);
  lane.add([numbered(2), numbered(3)]);
  const closed = lane.close();
  await answer("2");
  await closed;
  t.deepEqual(
    unsent,
    ["label 0", "label 1", "label 2", "label"],
    "the third is returned, and the second was sent once",
  );
});

test("transmissions that wait for a call are sent once", async (t) => {
  const { lane, calls, answers, answer } = laneScene(1);
  for (const number of [1, 2]) lane.add([{ key: "label", page: { ...page, barcode: String(number), number } }]);
  await answer("1");
  await answer("2");
  t.deepEqual([calls.size, answers.length, lane.has("label")], [0, 2, false]);
});

test("if a label's transmission still waits when a newer one is added, only the newer one is sent", async (t) => {
  const { lane, calls, answer, held } = laneScene(1);
  const numbered = (number: number): PageOfLabel => ({
    key: "label",
    page: { ...page, barcode: `label ${number}`, number },
  });
  lane.add([...named(1, "other"), numbered(1)]);
  lane.add([numbered(2)]);
  await answer("other 0");
  t.deepEqual([...calls.keys()], ["label 2"]);
  await answer("label 2");
  t.deepEqual([calls.size, held.transmissions, lane.has("label")], [0, 0, false]);
});

test("no more calls than allowed run concurrently", (t) => {
  const { lane, calls } = laneScene(3);
  lane.add(named(10));
  lane.add(named(10, "more"));
  t.is(calls.size, 3);
});

test("a high-priority transmission precedes all waiting ones", async (t) => {
  const { lane, calls, answer } = laneScene(1);
  lane.add(named(10));
  lane.add([toSend("urgent", "high")]);
  await answer("label 0");
  t.deepEqual([...calls.keys()], ["urgent"]);
});

test("of equal urgency, small pictures precede large ones", async (t) => {
  const { lane, calls, answer } = laneScene(1);
  const sized = (key: string, bytes: number): PageOfLabel => ({
    key,
    page: { ...page, barcode: key, content: { png: new Uint8Array(bytes) } },
  });
  lane.add([sized("first", 1), sized("large", 50_000), sized("small", 500)]);
  await answer("first");
  t.deepEqual([...calls.keys()], ["small"]);
});

test("a label that waits or is being sent to is not added again, and labels returned by a closed lane are free", async (t) => {
  const { lane, calls, answer } = laneScene(1);
  lane.add([...named(2), ...named(2)]);
  await answer("label 0");
  await answer("label 1");
  t.deepEqual([...calls.keys()], []);
  lane.add(named(2));
  const closed = lane.close();
  t.false(lane.has("label 1"));
  await answer("label 0");
  await closed;
});

test("a closing lane waits for its calls, begins no other call, and immediately reports what it does not send", async (t) => {
  const { lane, calls, unsent, answer } = laneScene(1);
  lane.add(named(3));
  const closed = lane.close();
  t.deepEqual(unsent, ["label 1", "label 2"], "while a call is in progress");
  lane.add([toSend("late")]);
  t.deepEqual(unsent, ["label 1", "label 2", "late"]);
  await answer("label 0");
  await closed;
  t.deepEqual([...calls.keys()], []);
  t.is(lane.room("bulk"), 0);
});

test("a lane that closes with nothing waiting reports nothing", async (t) => {
  const { lane, unsent } = laneScene(1);
  await lane.close();
  t.deepEqual(unsent, []);
  t.false(lane.has("label 0"));
});
