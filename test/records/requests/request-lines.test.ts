import test from "ava";
import { openCaller } from "../../../records/requests/caller.ts";
import { BYTES_PER_COMMAND, type splitInSteps } from "../../../records/requests/chunks.ts";
import { createGroups, createLine, type Ready } from "../../../records/requests/request-lines.ts";

const HOUR_MS = 3_600_000;
const settled = () => new Promise((resolve) => setImmediate(resolve));
const aCaller = () => openCaller(() => 0, HOUR_MS, HOUR_MS);
const ready = (bytes: number): Ready => ({ caller: aCaller(), split: { bytes } as Ready["split"] });

test("work that arrives while a group is written forms the next group, up to a command's size", async (t) => {
  const groups: Ready[][] = [];
  const written: (() => void)[] = [];
  const add = createGroups(async (group, onWritten) => {
    groups.push([...group]);
    written.push(onWritten);
    await new Promise<void>((end) => written.push(end));
  });
  const half = BYTES_PER_COMMAND / 2;
  const all = [1, half, half, 1, BYTES_PER_COMMAND + 1, 1].map(ready);
  for (const one of all) add(one);
  const sizes: number[][] = [];
  for (let count = 0; count < 4; count += 1) {
    await settled();
    t.is(groups.length, count + 1, "one group is written at a time");
    sizes.push(groups[count]?.map((one) => all.indexOf(one)) ?? []);
    written[2 * count]?.();
  }
  await settled();
  t.deepEqual(
    [...sizes, ...groups.slice(4).map((group) => group.map((one) => all.indexOf(one)))],
    [[0], [1, 2], [3], [4], [5]],
  );
  for (const { caller } of all) caller.resolve([]);
  for (const end of written) end();
});

test("if a group fails its callers are refused, and the next group is written", async (t) => {
  let count = 0;
  const add = createGroups(async (group) => {
    count += 1;
    if (count === 1) throw new Error("the first fails");
    for (const { caller } of group) caller.resolve([]);
  });
  const [first, second] = [ready(1), ready(1)];
  add(first);
  add(second);
  await t.throwsAsync(first.caller.confirmed, { message: "the first fails" });
  t.deepEqual(await second.caller.confirmed, []);
});

test("two large requests are written concurrently, in order, and each step extends the time of the waiting ones", async (t) => {
  let time = 0;
  const callers = Array.from({ length: 4 }, () => openCaller(() => time, HOUR_MS, 9 * HOUR_MS));
  const begun: { index: number; onStep(): void; end(): void; fail(error: Error): void }[] = [];
  const add = createLine((caller, _, onStep) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    begun.push({ index: callers.indexOf(caller), onStep, end: resolve, fail: reject });
    return promise;
  });
  for (const caller of callers) add(caller, [] as unknown as ReturnType<typeof splitInSteps>);
  await settled();
  t.deepEqual(
    begun.map(({ index }) => index),
    [0, 1],
  );
  time = 500;
  begun[0]?.onStep();
  t.deepEqual(
    callers.map(({ deadline }) => deadline - HOUR_MS),
    [0, 0, 500, 500],
  );
  begun[1]?.fail(new Error("it fails"));
  await t.throwsAsync(async () => callers[1]?.confirmed, { message: "it fails" });
  await settled();
  t.deepEqual(
    begun.map(({ index }) => index),
    [0, 1, 2],
  );
  for (const one of [0, 2, 3]) {
    begun.find(({ index }) => index === one)?.end();
    await settled();
  }
  t.is(begun.length, 4);
  const later = Array.from({ length: 3 }, () => openCaller(() => time, HOUR_MS, 9 * HOUR_MS));
  for (const caller of later) add(caller, [] as unknown as ReturnType<typeof splitInSteps>);
  await settled();
  t.is(begun.length, 6, "two later requests, after the line had become empty");
  for (const caller of [...callers, ...later]) caller.resolve([]);
});
