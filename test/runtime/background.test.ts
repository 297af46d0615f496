import test from "ava";
import { createBackground } from "../../runtime/background.ts";

test("work is settled when all of it has ended, including added and failed work", async (t) => {
  const background = createBackground();
  const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
  const ended: string[] = [];
  const added = background.add(
    first.promise.then((value) => {
      void background.add(second.promise).catch(() => ended.push("second"));
      return value;
    }),
  );
  const settled = background.finished().then(() => ended.push("settled"));
  first.resolve(7);
  t.is(await added, 7);
  t.deepEqual(ended, []);
  second.reject(new Error("it failed"));
  await settled;
  t.deepEqual(ended, ["second", "settled"]);
  await background.finished();
});
