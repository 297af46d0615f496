import test from "ava";
import { type ChainEnd, chained, verifyChain } from "../../../domain/activity/chain.ts";
import type { ActivityContent, ActivityEntry } from "../../../schemas/activity.ts";

const STORE = "t/demo/s/main";
const NONE: ChainEnd = { place: 0, hash: "" };
const content = (price: string): ActivityContent => ({
  at: "2026-03-03T05:00:00.000Z",
  actor: { kind: "user", id: "ana", channel: "pages" },
  operation: "patch-items",
  status: "DONE",
  items: ["milk"],
  labels: [],
  rows: JSON.stringify([{ itemId: "milk", price }]),
});
const five = chained(STORE, NONE, ["1", "2", "3", "4", "5"].map(content));
const end = five.at(-1) as ActivityEntry;
const faultsOf = async (entries: readonly ActivityEntry[], begin = NONE) =>
  (await verifyChain({ begin, end }, [entries])).faults;
const without = (...places: number[]) => five.filter(({ place }) => !places.includes(place));
const at = (place: number): ActivityEntry => five[place - 1] as ActivityEntry;
const replaced = (entry: ActivityEntry) => five.map((one) => (one.place === entry.place ? entry : one));

test("an unchanged chain has no fault, whatever the order of the fields in its documents", async (t) => {
  const stored = five.map(
    (entry) => Object.fromEntries(Object.entries(entry).toReversed()) as unknown as ActivityEntry,
  );
  t.deepEqual(await verifyChain({ begin: NONE, end }, [stored.slice(0, 2), stored.slice(2)]), {
    checked: 5,
    faults: [],
  });
});

for (const [what, entries, faults] of [
  ["the removal of an entry", without(3), [{ place: 3, through: 3, is: "removed" }]],
  ["the removal of the first entry", without(1), [{ place: 1, through: 1, is: "removed" }]],
  ["the removal of the last two entries", without(4, 5), [{ place: 4, through: 5, is: "removed" }]],
  ["the removal of all entries", [], [{ place: 1, through: 5, is: "removed" }]],
  ["a changed price", replaced({ ...at(2), rows: "[]" }), [{ place: 2, through: 2, is: "changed" }]],
  [
    "a changed actor",
    replaced({ ...at(5), actor: { kind: "user", id: "ivo", channel: "pages" } }),
    [{ place: 5, through: 5, is: "changed" }],
  ],
  [
    "an entry that was changed together with its hash",
    replaced(chained(STORE, at(1), [content("9")])[0] as ActivityEntry),
    [{ place: 2, through: 2, is: "changed" }],
  ],
  [
    "the last entry, changed together with its hash",
    replaced(chained(STORE, at(4), [content("9")])[0] as ActivityEntry),
    [{ place: 5, through: 5, is: "changed" }],
  ],
] as const)
  test(`${what} is detected and named`, async (t) => {
    t.deepEqual(await faultsOf(entries), [...faults]);
  });

test("a chain whose oldest entries have expired begins after them", async (t) => {
  t.deepEqual(await faultsOf(without(1, 2), at(2)), []);
  t.deepEqual(await faultsOf(without(1, 2, 3), at(2)), [{ place: 3, through: 3, is: "removed" }]);
});
