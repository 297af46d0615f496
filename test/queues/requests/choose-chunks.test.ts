import test from "ava";
import { chooseChunks, type PlacedChunk } from "../../../queues/requests/choose-chunks.ts";
import { chunkWindow, MAX_CHUNKS_OF_STORE, MAX_CHUNKS_OF_TENANT } from "../../../queues/tenant-windows.ts";

/** Chunks by names such as "a7": store and number. */
const chunks = (names: string): PlacedChunk[] =>
  names
    .split(" ")
    .filter(Boolean)
    .map((name) => ({ queue: "item", store: name.slice(0, 1), number: Number(name.slice(1)) }));
/** Chooses chunks for queues with this many processes each. */
const choose = (waiting: readonly PlacedChunk[][], present: readonly PlacedChunk[], processes = 1) =>
  chooseChunks(waiting, present, () => chunkWindow(processes));
const many = (name: string, count: number): string => Array.from({ length: count }, () => name).join(" ");
const namesOf = (chosen: readonly PlacedChunk[]) => chosen.map(({ store, number }) => `${store}${number}`).join(" ");

for (const [what, waiting, present, chosen] of [
  ["stores take turns", ["a1 a2", "b1 b2", "c1"], "", "a1 b1 c1 a2 b2"],
  ["a store has at most its share", [many("a1", 20)], "", many("a1", MAX_CHUNKS_OF_STORE)],
  ["chunks in Redis count for their store", ["a2 a2"], many("a1", MAX_CHUNKS_OF_STORE - 1), "a2"],
  [
    "a tenant has at most its share",
    ["c1", "d1"],
    `${many("a1", MAX_CHUNKS_OF_STORE)} ${many("b1", MAX_CHUNKS_OF_TENANT - MAX_CHUNKS_OF_STORE - 1)}`,
    "c1",
  ],
  ["a chunk that does not fit holds back its store", ["a2 a3", "b1"], many("a1", MAX_CHUNKS_OF_STORE), "b1"],
  ["the chunk with a store's smallest number always enters", ["a6 a7"], many("a8", MAX_CHUNKS_OF_STORE), "a6"],
  [
    "the smallest number enters even if the tenant has its full share",
    ["a6"],
    `a8 ${many("b1", MAX_CHUNKS_OF_STORE)} ${many("c1", MAX_CHUNKS_OF_STORE)}`,
    "a6",
  ],
] as const) {
  test(what, (t) => t.is(namesOf(choose(waiting.map(chunks), chunks(present))), chosen));
}

test("a chunk that does not fit in its queue holds back its store's chunks in every queue", (t) => {
  const full = chunks(`${many("c1", MAX_CHUNKS_OF_STORE)} ${many("b1", MAX_CHUNKS_OF_STORE)}`);
  const label: PlacedChunk = { queue: "link", store: "a", number: 2 };
  t.deepEqual(choose([[...chunks("a1"), label]], full), []);
});

test("each queue has its own room", (t) => {
  const label: PlacedChunk = { queue: "link", store: "c", number: 1 };
  const full = chunks(`${many("a1", MAX_CHUNKS_OF_STORE)} ${many("b1", MAX_CHUNKS_OF_STORE)}`);
  t.deepEqual(choose([[label], chunks("d1")], full), [label]);
});

test("with three processes there is three times the room", (t) => {
  const share = 3 * MAX_CHUNKS_OF_STORE;
  const waiting = ["a", "b", "c"].map((store) => chunks(many(`${store}1`, share)));
  t.is(choose(waiting.slice(0, 1), [], 3).length, share);
  t.is(choose(waiting, [], 3).length, 3 * MAX_CHUNKS_OF_TENANT);
});
