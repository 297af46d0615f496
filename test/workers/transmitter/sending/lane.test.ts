import test from "ava";
import type { Answer } from "../../../../workers/transmitter/drivers/label-server.ts";
import { createLane, type Held, MAX_HELD, type PageOfLabel } from "../../../../workers/transmitter/sending/lane.ts";
import { page } from "../serve.ts";

const toSend = (key: string, priority: "high" | "normal" = "normal"): PageOfLabel => ({
  key,
  page: { ...page, barcode: key, priority },
});
const named = (count: number, prefix = "label"): PageOfLabel[] =>
  Array.from({ length: count }, (_, index) => toSend(`${prefix} ${index}`));
const accepted: Answer = { kind: "accepted" };
const busy: Answer = { kind: "later", afterMs: 3_000, reason: "busy", server: "busy" };
const flush = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A lane whose label server answers when the test says so. */
function scene(concurrency: number, held: Held = { transmissions: 0 }) {
  const set = { isAway: false, now: 0, roomAgain: 0 };
  const wakes: (() => void)[] = [];
  const calls = new Map<string, (answer: Answer) => void>();
  const answers: [string, Answer["kind"]][] = [];
  const postponed: Answer[] = [];
  const unsent: string[] = [];
  const lane = createLane({
    labelServer: {
      isAway: () => set.isAway,
      sendPage: ({ barcode }) => new Promise<Answer>((resolve) => calls.set(barcode, resolve)),
    },
    ...{ concurrency, held, clock: () => set.now, random: () => 0 },
    wakeAfter: (_, wake) => void wakes.push(wake),
    onAnswer({ key }, answer) {
      answers.push([key, answer.kind]);
      if (answer.kind === "later") postponed.push(answer);
    },
    onRoom: () => {
      set.roomAgain += 1;
    },
    onUnsent: (pages) => void unsent.push(...pages.map(({ key }) => key)),
  });
  const answer = async (key: string, said = accepted) => {
    calls.get(key)?.(said);
    calls.delete(key);
    await flush();
  };
  /** Lets time pass, and wakes the lane if it asked for that. */
  const pass = (milliseconds: number) => {
    set.now += milliseconds;
    for (const wake of wakes.splice(0)) wake();
  };
  return { set, lane, calls, answers, postponed, unsent, held, answer, pass };
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

test("a label server that asks for a rest receives no call before it ends, then half as many as before", async (t) => {
  const { lane, calls, answer, pass, postponed } = scene(4);
  lane.add(named(20));
  pass(1);
  await answer("label 0", { ...busy, restMs: 2_000 });
  for (const key of ["label 1", "label 2", "label 3"]) await answer(key);
  pass(1_999);
  t.deepEqual([calls.size, lane.room("bulk"), lane.room("interactive")], [0, 0, 0]);
  pass(1);
  t.is(calls.size, 2);
  t.is(postponed.length, 1, "the others waited for a moment only");
});

test("what would wait longer than a moment is postponed by as much, with the label server's reason", async (t) => {
  const { lane, calls, answer, postponed, held } = scene(1);
  lane.add(named(3));
  await answer("label 0", { ...busy, restMs: 60_000 });
  t.is(calls.size, 0);
  t.deepEqual(postponed.slice(1), Array(2).fill({ kind: "later", afterMs: 60_000, reason: "busy" }));
  t.false(lane.has("label 1"));
  t.is(held.transmissions, 0);
});

test("a busy label server receives fewer concurrent calls, and more again as it takes them", async (t) => {
  const { lane, calls, answer, set } = scene(8);
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

test("behind the trial of a label server that was away nothing waits", async (t) => {
  const { set, lane, calls, answer } = scene(8);
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

test("of equal urgency small pictures precede large ones", async (t) => {
  const { lane, calls, answer } = scene(1);
  const sized = (key: string, bytes: number): PageOfLabel => ({
    key,
    page: { ...page, barcode: key, content: { png: new Uint8Array(bytes) } },
  });
  lane.add([sized("first", 1), sized("large", 50_000), sized("small", 500)]);
  await answer("first");
  t.deepEqual([...calls.keys()], ["small"]);
});

test("of a label whose transmission still waits only a newer one is sent", async (t) => {
  const { lane, calls, answer, held } = scene(1);
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

test("while the lanes of a process hold very many transmissions, each takes only what it can send now", async (t) => {
  const held = { transmissions: 0 };
  const { lane, answer } = scene(4, held);
  lane.add(named(1));
  await answer("label 0");
  held.transmissions = MAX_HELD;
  t.deepEqual([lane.room("bulk"), lane.room("interactive")], [4, 4]);
});
