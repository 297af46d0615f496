import test from "ava";
import { createFittingMark } from "../../../../workers/evaluator/packs/fitting-designs.ts";

const designs = (types: Record<string, number[]>) =>
  new Map(Object.entries(types).map(([id, compatible_esltype_ids]) => [id, { compatible_esltype_ids }]));
const markOf = (types: Record<string, number[]>, others: string[] = [], type = 1328): string =>
  createFittingMark(designs(types))("t/demo", ["a", "b"], others, type);

const same: [what: string, one: string, other: string][] = [
  ["the same designs", markOf({ a: [1328] }), markOf({ a: [1328] })],
  ["a design that fits other types as well", markOf({ a: [1328] }), markOf({ a: [1317, 1328] })],
  ["a design that fits only others", markOf({ a: [1328], b: [1317] }), markOf({ a: [1328] })],
  ["a design that nothing names", markOf({ a: [1328], c: [1328] }), markOf({ a: [1328] })],
];
for (const [what, one, other] of same) test(`${what}: the mark stays`, (t) => t.is(one, other));

const moved: [what: string, one: string, other: string][] = [
  ["a design that fits no more", markOf({ a: [1328] }), markOf({ a: [1317] })],
  ["a design that is gone", markOf({ a: [1328] }), markOf({})],
  ["a further design that fits", markOf({ a: [1328] }), markOf({ a: [1328], b: [1328] })],
  ["another design that fits", markOf({ a: [1328] }), markOf({ b: [1328] })],
  ["a forced design that fits no more", markOf({ c: [1328] }, ["c"]), markOf({ c: [] }, ["c"])],
  ["another label type", markOf({ a: [1328] }), markOf({ a: [1328] }, [], 1317)],
];
for (const [what, one, other] of moved) test(`${what}: the mark is another`, (t) => t.not(one, other));

test("links of several tenants, types and forced designs are distinguished in one batch", (t) => {
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
