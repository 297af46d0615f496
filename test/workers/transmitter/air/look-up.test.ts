import type { LookupAddress } from "node:dns";
import test from "ava";
import { createLookUp } from "../../../../workers/transmitter/air/look-up.ts";

const HERE: LookupAddress = { address: "192.0.2.7", family: 4 };
const MOVED: LookupAddress = { address: "192.0.2.8", family: 4 };

/** The address look-up of one label server, with a resolver and a clock that the test sets. */
function scene() {
  const time = { ms: 0 };
  const asked: PromiseWithResolvers<LookupAddress[]>[] = [];
  const resolve = () => {
    const one = Promise.withResolvers<LookupAddress[]>();
    asked.push(one);
    return one.promise;
  };
  const lookUp = createLookUp(() => time.ms, resolve);
  const all = () =>
    new Promise<LookupAddress[]>((resolved, rejected) =>
      lookUp("labels.example.com", { all: true }, (error, found) =>
        error ? rejected(error) : resolved(found as LookupAddress[]),
      ),
    );
  return { time, asked, lookUp, all };
}
const flush = () => new Promise<void>((resolve) => setImmediate(resolve));

test.serial("all connections to a label server share one look-up", async (t) => {
  const { asked, all } = scene();
  const connections = [all(), all(), all()];
  await flush();
  t.is(asked.length, 1);
  asked[0]?.resolve([HERE]);
  t.deepEqual(await Promise.all(connections), [[HERE], [HERE], [HERE]]);
});

test.serial("a known address is used during another look-up, and the new address as soon as it is known", async (t) => {
  const { time, asked, all } = scene();
  const first = all();
  await flush();
  asked[0]?.resolve([HERE]);
  await first;
  time.ms = 10_001;
  t.deepEqual(await all(), [HERE]);
  t.is(asked.length, 2);
  asked[1]?.resolve([MOVED]);
  await flush();
  t.deepEqual(await all(), [MOVED]);
});

test.serial(
  "hanging look-ups delay no label server whose address is known, and at most two run at a time",
  async (t) => {
    const known = scene();
    const first = known.all();
    await flush();
    known.asked[0]?.resolve([HERE]);
    await first;
    const hanging = Array.from({ length: 20 }, scene);
    const waiting = hanging.map(({ all }) => all());
    await flush();
    const asked = () => hanging.flatMap((one) => one.asked);
    t.is(asked().length, 2);
    known.time.ms = 60_000;
    t.deepEqual(await known.all(), [HERE]);
    for (let turn = 0; turn < 20; turn += 1) {
      for (const one of [...asked(), ...known.asked]) one.resolve([MOVED]);
      await flush();
    }
    t.deepEqual(await Promise.all(waiting), Array(20).fill([MOVED]));
  },
);

test.serial("a failed look-up fails its connections, and the next connection looks up again", async (t) => {
  const { asked, all } = scene();
  const failed = all();
  await flush();
  asked[0]?.reject(new Error("ENOTFOUND"));
  await t.throwsAsync(failed, { message: "ENOTFOUND" });
  const next = all();
  await flush();
  asked[1]?.resolve([HERE]);
  t.deepEqual(await next, [HERE]);
});

test.serial("a caller that requests one address gets the first", async (t) => {
  const { asked, lookUp } = scene();
  const found = new Promise((resolved) =>
    lookUp("labels.example.com", {}, (_, address, family) => resolved([address, family])),
  );
  await flush();
  asked[0]?.resolve([HERE, MOVED]);
  t.deepEqual(await found, [HERE.address, 4]);
});
