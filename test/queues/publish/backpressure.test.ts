import test from "ava";
import { createBackpressure, createFullness } from "../../../queues/publish/backpressure.ts";

/** What a node tells of its memory, as Redis writes it. */
const memory = (used: number, max: number): string =>
  `# Memory\r\nused_memory:${used}\r\nused_memory_rss:${used * 9}\r\ntotal_system_memory:1\r\nmaxmemory:${max}\r\nmaxmemory_policy:noeviction\r\n`;

/** Nodes that tell these texts; `asked` counts how often they were asked. */
function fullness(...texts: string[]) {
  const set = { now: 0, asked: 0, texts };
  const info = (text: string) => async () => {
    set.asked += 1;
    return text;
  };
  const isFull = createFullness(
    () => set.texts.map((text) => ({ info: info(text) }) as never),
    () => set.now,
  );
  return { set, isFull };
}

test("Redis is full above 70 % of its maxmemory, and never without one", async (t) => {
  t.false(await fullness(memory(700, 1000)).isFull());
  t.true(await fullness(memory(701, 1000)).isFull());
  t.false(await fullness(memory(701, 0)).isFull());
  t.false(await fullness("nothing that is known").isFull());
});

test("Redis is full where one of its nodes is", async (t) => {
  t.true(await fullness(memory(1, 1000), memory(900, 1000)).isFull());
  t.false(await fullness(memory(1, 1000), memory(600, 1000)).isFull());
});

test("the nodes are asked once a second", async (t) => {
  const { set, isFull } = fullness(memory(1, 1000));
  t.false(await isFull());
  set.texts = [memory(900, 1000)];
  set.now = 999;
  t.false(await isFull());
  set.now = 1000;
  t.true(await isFull());
  t.is(set.asked, 2);
});

test("while Redis is full bulk jobs wait, but for a queue that is nearly empty", async (t) => {
  const depth = { current: 50 };
  const set = { isFull: true };
  const mustWait = createBackpressure(
    async () => set.isFull,
    async () => depth.current,
  );
  t.true(await mustWait("item"));
  depth.current = 49;
  t.false(await mustWait("item"));
  depth.current = 5_000;
  set.isFull = false;
  t.false(await mustWait("item"));
});
