import test from "ava";
import { filesWithTitles, titlesAt, titlesOf } from "../../../../scripts/develop/test/earlier-tests.ts";

// Read from a string, so that these titles do not count as titles of this file.
const call = (title: string) => `test(${title}, (t) => t.pass());\n`;
const before = new Set(["a rule", "another rule", "`a template of ${name}`".slice(1, -1)]);

for (const [what, text, isKnown] of [
  ["it keeps its tests, in whatever file", call('"a rule"') + call('"another rule"'), true],
  ["half of its tests existed", call('"a rule"') + call('"a new rule"'), true],
  ["most of its tests are new", call('"a rule"') + call('"a new rule"') + call('"a newer rule"'), false],
  ["its titles come from a template", call("`a template of ${name}`"), true],
  ["it has no test", "", false],
] as const) {
  test(`a test file is compared with an earlier run if that run had at least half of its tests: ${what}`, (t) => {
    t.deepEqual(filesWithTitles(new Map([["test/a.test.ts", text]]), before), isKnown ? ["test/a.test.ts"] : []);
  });
}

test("a title may begin on the next line and contain an escaped quote", (t) => {
  t.deepEqual(titlesOf('test.serial(\n  "a \\"quoted\\" word",\n  run)'), ['a \\"quoted\\" word']);
});

test("a revision's titles are those in its test files", (t) => {
  t.true(titlesAt("HEAD").size > 100);
});
