import test from "ava";
import { createTextQueue } from "../../../../api/management/subscriptions/text-queue.ts";

test("strings are delivered in order, including to a reader that was waiting", async (t) => {
  const queue = createTextQueue({ texts: 10, characters: 1_000 }, () => t.fail());
  const first = queue.next();
  for (const text of ["1", "2"]) queue.push(text);
  t.deepEqual([await first, await queue.next()], ["1", "2"]);
  const last = queue.next();
  queue.end();
  t.is(await last, undefined);
});

test("a full queue holds no more than its maximum number of strings, and a slow reader receives them before the queue ends", async (t) => {
  const queue = createTextQueue({ texts: 3, characters: 1_000 }, () => queue.end());
  for (let text = 0; text < 1_000; text += 1) queue.push(String(text));
  const given: string[] = [];
  for (let text = await queue.next(); text !== undefined; text = await queue.next()) given.push(text);
  t.deepEqual(given, ["0", "1", "2"]);
});

test("a queue holds no more than its maximum number of characters, except for a single longer string", async (t) => {
  let isFull = 0;
  const queue = createTextQueue({ texts: 100, characters: 10 }, () => {
    isFull += 1;
  });
  queue.push("longer than ten");
  queue.push("more");
  t.is(isFull, 1);
  t.is(await queue.next(), "longer than ten");
  for (const text of ["12345", "67890", "1"]) queue.push(text);
  t.is(isFull, 2);
  t.deepEqual([await queue.next(), await queue.next()], ["12345", "67890"]);
});

test("a reader receives an error", async (t) => {
  const queue = createTextQueue({ texts: 3, characters: 1_000 }, () => t.fail());
  const next = queue.next();
  queue.end(new Error("Redis is gone"));
  await t.throwsAsync(next, { message: "Redis is gone" });
  queue.end();
  await t.throwsAsync(queue.next(), { message: "Redis is gone" }, "a later end does not hide it");
});
