import test from "ava";
import { createBackpressure, createFill, createFullness } from "../../../queues/publish/redis-fullness.ts";

/** A node's memory section, as Redis writes it. */
const memory = (used: number, max: number): string =>
  `# Memory\r\nused_memory:${used}\r\nused_memory_rss:${used * 9}\r\ntotal_system_memory:1\r\nmaxmemory:${max}\r\nmaxmemory_policy:noeviction\r\n`;

/** Nodes that return these strings; `asked` counts the queries. */
function fullness(...texts: string[]) {
  const set = { now: 0, asked: 0, texts };
  const info = (text: string) => async () => {
    set.asked += 1;
    return text;
  };
  const fill = createFill(
    () => set.texts.map((text) => ({ info: info(text) })),
    () => set.now,
  );
  const isFull = createFullness(fill);
  return { set, isFull };
}

test("Redis is full above 70 % of its maxmemory, and never without one", async (t) => {
  t.false(await fullness(memory(700, 1000)).isFull());
  t.true(await fullness(memory(701, 1000)).isFull());
  t.false(await fullness(memory(701, 0)).isFull());
  t.false(await fullness("no known values").isFull());
});

test("Redis is full if any of its nodes is full", async (t) => {
  t.true(await fullness(memory(1, 1000), memory(900, 1000)).isFull());
  t.false(await fullness(memory(1, 1000), memory(600, 1000)).isFull());
});

test("the nodes are queried once a second", async (t) => {
  const { set, isFull } = fullness(memory(1, 1000));
  t.false(await isFull());
  set.texts = [memory(900, 1000)];
  set.now = 999;
  t.false(await isFull());
  set.now = 1000;
  t.true(await isFull());
  t.is(set.asked, 2);
});

for (const [urgency, share] of [
  ["bulk", 0.7],
  ["interactive", 0.85],
] as const) {
  test(`above ${share} of its memory ${urgency} jobs wait, unless their queue is nearly empty`, async (t) => {
    const set = { fill: share + 0.01, depth: 50 };
    const mustWait = createBackpressure(
      async () => set.fill,
      async (queue, of) => (queue === "item" && of === urgency ? set.depth : 0),
    );
    t.true(await mustWait("item", urgency));
    t.false(await mustWait("renderer", urgency));
    set.depth = 49;
    t.false(await mustWait("item", urgency));
    set.depth = 5_000;
    set.fill = share;
    t.false(await mustWait("item", urgency));
  });
}
