import test from "ava";
import { createFittingMark } from "../../../domain/packs/fitting-mark.ts";

const designs = (types: Record<string, number[]>) =>
  new Map(Object.entries(types).map(([id, compatible_esltype_ids]) => [id, { compatible_esltype_ids }]));
const markOf = (types: Record<string, number[]>, others: string[] = [], type = 1328): string =>
  createFittingMark(designs(types))("t/demo", ["a", "b"], others, type);

/** The arguments of `markOf`, before and after. */
type Case = [what: string, one: Parameters<typeof markOf>, other: Parameters<typeof markOf>];

const same: Case[] = [
  ["the same designs", [{ a: [1328] }], [{ a: [1328] }]],
  ["a design that now also fits other types", [{ a: [1328] }], [{ a: [1317, 1328] }]],
  ["a design that fits only other types", [{ a: [1328], b: [1317] }], [{ a: [1328] }]],
  ["a design that nothing names", [{ a: [1328], c: [1328] }], [{ a: [1328] }]],
  ["a forced design that the pack also names", [{ a: [1328] }], [{ a: [1328] }, ["a"]]],
  ["forced designs in another order", [{ c: [1328], d: [1328] }, ["c", "d"]], [{ c: [1328], d: [1328] }, ["d", "c"]]],
];
for (const [what, one, other] of same)
  test(`${what}: the mark is unchanged`, (t) => t.is(markOf(...one), markOf(...other)));

const moved: Case[] = [
  ["a design that no longer fits", [{ a: [1328] }], [{ a: [1317] }]],
  ["a deleted design", [{ a: [1328] }], [{}]],
  ["an additional design that fits", [{ a: [1328] }], [{ a: [1328], b: [1328] }]],
  ["another design that fits", [{ a: [1328] }], [{ b: [1328] }]],
  ["a forced design that no longer fits", [{ c: [1328] }, ["c"]], [{ c: [] }, ["c"]]],
  ["another label type", [{ a: [1328] }], [{ a: [1328] }, [], 1317]],
  ["two designs whose joined names equal the name of one", [{ a: [1328], b: [1328] }], [{ ab: [1328] }, ["ab"]]],
];
for (const [what, one, other] of moved)
  test(`${what}: the mark changes`, (t) => t.not(markOf(...one), markOf(...other)));

test("a mark is short and readable", (t) => {
  t.regex(markOf({ a: [1328] }), /^fitting designs [\w-]{16}$/);
});

test("the designs of a pack are checked once per batch, type and forced design", (t) => {
  const known = designs({ a: [1328], b: [1328] });
  let looked = 0;
  const get = (id: string) => {
    looked += 1;
    return known.get(id);
  };
  const mark = createFittingMark({ get } as typeof known);
  const first = mark("t/demo", ["a", "b"], [], 1328);
  t.is(looked, 2);
  t.is(mark("t/demo", ["a", "b"], [], 1328), first);
  t.is(looked, 2);
});

test("one batch distinguishes links by tenant, type and forced design", (t) => {
  const mark = createFittingMark(designs({ a: [1328], b: [1317], c: [1328] }));
  const marks = [
    mark("t/demo", ["a"], [], 1328),
    mark("t/other", ["b"], [], 1328),
    mark("t/demo", ["a"], ["c"], 1328),
    mark("t/other", ["b"], [], 1317),
  ];
  t.is(new Set(marks).size, marks.length);
  t.true(marks.indexOf(mark("t/demo", ["a"], [], 1328)) === 0);
});
