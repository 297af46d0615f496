import test from "ava";
import { differencesOf, MAX_DIFFERENCES } from "../../../domain/publishing/differences.ts";
import { keptInPlace, matchEntries } from "../../../domain/publishing/match-entries.ts";
import type { Difference } from "../../../schemas/version.ts";

const text = { kind: "text", x: 4, y: 4, text: "${item.itemName}" };
const price = { kind: "price", x: 8, y: 48, value: "${item.price}" };
const offer = { id: "offer", name: "Offer", design_ids: ["a"], children: [] };
const regular = { id: "regular", name: "Regular", design_ids: ["b"], children: [] };
const night = { id: "night", name: "Night", design_ids: ["c"], children: [] };

const cases: [string, object, object, Difference[]][] = [
  ["nothing differs", { name: "A", scenarios: [offer] }, { scenarios: [offer], name: "A" }, []],
  [
    "a field",
    { name: "A" },
    { name: "B" },
    [{ pointer: "/name", kind: "CHANGED", names: [], before: "A", after: "B" }],
  ],
  [
    "fields that exist on only one side",
    { width: 1 },
    { height: 2 },
    [
      { pointer: "/width", kind: "REMOVED", names: [], before: 1 },
      { pointer: "/height", kind: "ADDED", names: [], after: 2 },
    ],
  ],
  [
    "a list of plain values is one value",
    { ids: [1, 2] },
    { ids: [2] },
    [{ pointer: "/ids", kind: "CHANGED", names: [], before: [1, 2], after: [2] }],
  ],
  [
    "a scenario is recognised by its ID after a new scenario",
    { scenarios: [offer, regular] },
    { scenarios: [night, offer, { ...regular, name: "Normal" }] },
    [
      { pointer: "/scenarios/0", kind: "ADDED", names: ["Night"], after: night },
      { pointer: "/scenarios/2/name", kind: "CHANGED", names: ["Normal"], before: "Regular", after: "Normal" },
    ],
  ],
  [
    "if the order changes, only moved elements are listed",
    { scenarios: [offer, regular, night] },
    { scenarios: [night, offer, regular] },
    [{ pointer: "/scenarios/0", kind: "MOVED", names: ["Night"], before: 2, after: 0 }],
  ],
  [
    "a nested scenario has both names",
    { scenarios: [{ ...offer, children: [night] }] },
    { scenarios: [{ ...offer, children: [{ ...night, design_ids: ["d"] }] }] },
    [
      {
        pointer: "/scenarios/0/children/0/design_ids",
        kind: "CHANGED",
        names: ["Offer", "Night"],
        before: ["c"],
        after: ["d"],
      },
    ],
  ],
  [
    "an element without a name is recognised by its values, and a remaining element of the same kind counts as changed",
    { elements: [text, price] },
    { elements: [{ ...price, x: 10 }, text] },
    [
      { pointer: "/elements/0", kind: "MOVED", names: ["price"], before: 1, after: 0 },
      { pointer: "/elements/0/x", kind: "CHANGED", names: ["price"], before: 8, after: 10 },
    ],
  ],
  [
    "an element of a different kind is a different element",
    { elements: [text] },
    { elements: [price] },
    [
      { pointer: "/elements/0", kind: "REMOVED", names: ["text"], before: text },
      { pointer: "/elements/0", kind: "ADDED", names: ["price"], after: price },
    ],
  ],
  [
    "elements with a duplicate name are not recognised by it",
    {
      elements: [
        { name: "a", x: 1 },
        { name: "a", x: 2 },
      ],
    },
    { elements: [{ name: "a", x: 2 }] },
    [{ pointer: "/elements/0", kind: "REMOVED", names: ["a"], before: { name: "a", x: 1 } }],
  ],
  [
    "pointers escape slashes and tildes",
    { "a/b~c": 1 },
    { "a/b~c": 2 },
    [{ pointer: "/a~1b~0c", kind: "CHANGED", names: [], before: 1, after: 2 }],
  ],
];
for (const [what, before, after, expected] of cases) {
  test(`differences: ${what}`, (t) => {
    t.deepEqual(differencesOf(before, after), { differences: expected, isCut: false });
  });
}

test("differences are truncated at a limit", (t) => {
  const numbered = (from: number) =>
    Object.fromEntries(Array.from({ length: MAX_DIFFERENCES + 1 }, (_, index) => [`f${index}`, from + index]));
  const { differences, isCut } = differencesOf(numbered(0), numbered(1));
  t.is(differences.length, MAX_DIFFERENCES);
  t.true(isCut);
});

test("nothing is compared beyond the limit", (t) => {
  const numbered = (from: number) =>
    Object.fromEntries(Array.from({ length: MAX_DIFFERENCES + 2 }, (_, index) => [`f${index}`, from + index]));
  const after = Object.defineProperty(numbered(1), `f${MAX_DIFFERENCES + 1}`, {
    enumerable: true,
    get: () => t.fail("it is compared"),
  });
  t.true(differencesOf(numbered(0), after).isCut);
});

test("matching long lists takes steps in proportion to their number of entries, not to its square", (t) => {
  const entries = Array.from({ length: 200_000 }, () => ({ kind: "text" }));
  const matched = matchEntries(entries, entries);
  t.is(keptInPlace(matched).size, entries.length);
});

test("without earlier content, the whole content is one difference", (t) => {
  const { differences } = differencesOf(undefined, { name: "A" });
  t.deepEqual(differences, [{ pointer: "", kind: "CHANGED", names: [], before: undefined, after: { name: "A" } }]);
});
