import test from "ava";
import type { Answer } from "../../../../workers/transmitter/drivers/label-server.ts";
import { createLane, type PageOfLabel } from "../../../../workers/transmitter/sending/lane.ts";
import { page } from "../serve.ts";

const toSend = (key: string, priority: "high" | "normal" = "normal"): PageOfLabel => ({
  key,
  page: { ...page, barcode: key, priority },
});
const named = (count: number, prefix = "label"): PageOfLabel[] =>
  Array.from({ length: count }, (_, index) => toSend(`${prefix} ${index}`));
const accepted: Answer = { kind: "accepted" };
const flush = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A lane whose label server answers when the test says so. */
function scene(concurrency: number) {
  const set = { isAway: false, now: 0, roomAgain: 0 };
  const calls = new Map<string, (answer: Answer) => void>();
  const answers: [string, Answer["kind"]][] = [];
  const unsent: string[] = [];
  const lane = createLane({
    labelServer: {
      isAway: () => set.isAway,
      sendPage: ({ barcode }) => new Promise<Answer>((resolve) => calls.set(barcode, resolve)),
    },
    concurrency,
    clock: () => set.now,
    onAnswer: ({ key }, { kind }) => void answers.push([key, kind]),
    onRoom: () => {
      set.roomAgain += 1;
    },
    onUnsent: (pages) => void unsent.push(...pages.map(({ key }) => key)),
  });
  const answer = async (key: string) => {
    calls.get(key)?.(accepted);
    calls.delete(key);
    await flush();
  };
  return { set, lane, calls, answers, unsent, answer };
}

test("a label whose call hangs holds up one call, and the others continue", async (t) => {
  const { lane, calls, answers, answer } = scene(2);
  lane.add(named(50));
  for (let index = 1; index < 50; index += 1) await answer(`label ${index}`);
  t.deepEqual([...calls.keys()], ["label 0"]);
  t.is(answers.length, 49);
  t.true(lane.has("label 0"));
  t.false(lane.has("label 1"));
});

test("a label's transmission that begins before the previous response is sent when that arrives", async (t) => {
  const { lane, calls, unsent, answer } = scene(1);
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
  t.deepEqual(unsent, ["label 0", "label 1", "label 2", "label"], "the third goes back, and the second was sent once");
});

test("transmissions that wait for a call are sent once", async (t) => {
  const { lane, calls, answers, answer } = scene(1);
  for (const number of [1, 2]) lane.add([{ key: "label", page: { ...page, barcode: String(number), number } }]);
  await answer("1");
  await answer("2");
  t.deepEqual([calls.size, answers.length, lane.has("label")], [0, 2, false]);
});

test("no more calls than allowed run concurrently", (t) => {
  const { lane, calls } = scene(3);
  lane.add(named(10));
  lane.add(named(10, "more"));
  t.is(calls.size, 3);
});

test("a high-priority transmission precedes all waiting ones", async (t) => {
  const { lane, calls, answer } = scene(1);
  lane.add(named(10));
  lane.add([toSend("urgent", "high")]);
  await answer("label 0");
  t.deepEqual([...calls.keys()], ["urgent"]);
});

test("while the label server is unreachable no call begins, and waiting transmissions are postponed", async (t) => {
  const { set, lane, calls, answers, answer } = scene(1);
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

test("a slow label server has room for a few seconds of calls, a fast one for more; interactive ones find room", async (t) => {
  const { set, lane, answer } = scene(4);
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
  const { set, lane, answer } = scene(1);
  lane.add(named(2000));
  for (let index = 0; index < 999; index += 1) await answer(`label ${index}`);
  t.is(set.roomAgain, 0);
  for (let index = 999; index < 1500; index += 1) await answer(`label ${index}`);
  t.is(set.roomAgain, 1);
});

test("a closing lane waits for its calls, begins no other, and immediately names what it does not send", async (t) => {
  const { lane, calls, unsent, answer } = scene(1);
  lane.add(named(3));
  const closed = lane.close();
  t.deepEqual(unsent, ["label 1", "label 2"], "while a call is under way");
  lane.add([toSend("late")]);
  t.deepEqual(unsent, ["label 1", "label 2", "late"]);
  await answer("label 0");
  await closed;
  t.deepEqual([...calls.keys()], []);
  t.is(lane.room("bulk"), 0);
});

test("a lane that closes with nothing waiting names nothing", async (t) => {
  const { lane, unsent } = scene(1);
  await lane.close();
  t.deepEqual(unsent, []);
  t.false(lane.has("label 0"));
});

test("a label that waits or is being sent to is not sent to again, and labels returned by a closed lane are free", async (t) => {
  const { lane, calls, answer } = scene(1);
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
