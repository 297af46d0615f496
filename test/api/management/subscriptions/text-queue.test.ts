import test from "ava";
import { createTextQueue } from "../../../../api/management/subscriptions/text-queue.ts";

test("texts are given in their order, also to a reader that waited for them", async (t) => {
  const queue = createTextQueue(10, () => t.fail());
  const first = queue.next();
  for (const text of ["1", "2"]) queue.push(text);
  t.deepEqual([await first, await queue.next()], ["1", "2"]);
  const last = queue.next();
  queue.end();
  t.is(await last, undefined);
});

test("no more texts wait for a slow reader than the bound; what waits is given before the end", async (t) => {
  const queue = createTextQueue(3, () => queue.end());
  for (let text = 0; text < 1_000; text += 1) queue.push(String(text));
  const given: string[] = [];
  for (let text = await queue.next(); text !== undefined; text = await queue.next()) given.push(text);
  t.deepEqual(given, ["0", "1", "2"]);
});

test("a reader is told of an error", async (t) => {
  const queue = createTextQueue(3, () => t.fail());
  const next = queue.next();
  queue.end(new Error("Redis is gone"));
  await t.throwsAsync(next, { message: "Redis is gone" });
});
