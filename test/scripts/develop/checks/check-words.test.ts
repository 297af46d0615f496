import test from "ava";
import { translatedSentences } from "../../../../scripts/develop/checks/check-words.ts";

for (const [what, source, found] of [
  ["a comment", "/** Who is told of changes. */", ["told"]],
  ["a comment over several lines", "/**\n * What a record goes\n * back to.\n */", ["goes back to"]],
  ["consecutive comment lines that form one sentence", "// The keys cannot be\n// had at the moment.", ["be had"]],
  ["a string", 'throw new Error("the label server tells of no check-ins");', ["tells"]],
  ["a template, around its values", "log(`there is a store where there is ${none} of it`);", ["where there is"]],
  ["a docstring that begins with what a function gives", "/** Gives the number of a request. */", ["Gives"]],
  ["a longer form of a single adverb", "// It begins anew, and is noted for good.", ["anew", "for good", "is noted"]],
  ["an outage", "// While Redis is away nothing is counted any more.", ["any more", "is away"]],
  ["a value that is left unchanged", "// A text that is no number stays as it is.", ["as it is", "is no number"]],
  ["an exception", "// Names are plain, but for their blanks.", ["but for"]],
  ["two marked words", "/** Undefined where none is asked for. */", ["is asked for", "Undefined where", "where none"]],
] as const)
  test(`refused: ${what}`, (t) => {
    const faults = translatedSentences("a.ts", source);
    const quoted = faults.map((fault) => /not "(.*)" but/.exec(fault)?.[1] ?? fault);
    t.deepEqual(quoted.toSorted(), [...found].toSorted());
    t.true(faults.every((fault) => fault.startsWith("a.ts:1: ")));
  });

for (const [what, source] of [
  ["a technical writer's sentence", "/** Returns the number of a request; undefined if there is none. */"],
  [
    "the same words with another meaning",
    "// There is no record for good reasons, and no more than one as it is stored.",
  ],
  [
    "letters that can be told apart",
    "// From this size on letters can be told apart.\n// A mark tells an a from an o.",
  ],
  ["a name", 'const isTold = names.has("told");'],
  ["quoted code", "/** Counts the field `told`. */"],
] as const)
  test(`accepted: ${what}`, (t) => t.deepEqual(translatedSentences("a.ts", source), []));
