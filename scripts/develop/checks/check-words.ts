import { readFile } from "node:fs/promises";
import { type Comment, parseSync, Visitor } from "oxc-parser";
import { codeFolders, codeIn, root } from "./code-folders.ts";

/** Words that make a sentence read as translated, and what a technical writer would use instead. */
const words: readonly { pattern: RegExp; instead: string }[] = [
  { pattern: /\b(?:told|tells?|telling)\b(?!(?: \S+){0,6} (?:apart|from)\b)/i, instead: "reports, sends, lists, says" },
  { pattern: /\b(?:gives?|gave|given|giving) back\b|^Gives |[;.] [Gg]ives /, instead: "returns" },
  { pattern: /\b(?:is|are|be|was|were) had\b/i, instead: "is available" },
  { pattern: /\b(?:goes|go|went|going) back to\b/i, instead: "was caused by, returns to" },
  { pattern: /\b(?:goes|go|went|going) on with\b/i, instead: "continues" },
  { pattern: /\bwaits? for (?:its|their) time\b/i, instead: "is scheduled" },
  { pattern: /\b(?:undefined|absent|null|false|empty|none|throws|thrown) where\b/i, instead: "if, when" },
  { pattern: /\bwhere (?:there (?:is|are)|none|nothing|no)\b/i, instead: "if, when" },
  { pattern: /\basked as\b/i, instead: "must be" },
  { pattern: /\basks for\b|\b(?:is|are|be|was|were) asked for\b/i, instead: "requires, requests" },
  { pattern: /\b(?:brings?|brought|bringing)\b/i, instead: "installs, downloads, adds" },
  { pattern: /\bcannot be judged\b/i, instead: "cannot be verified" },
  { pattern: /\bis like that\b/i, instead: "matches" },
  { pattern: /\blets? in\b/i, instead: "admits" },
  { pattern: /\bof itself\b/i, instead: "by itself" },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\b(?:is|are|be|was|were) away\b/i, instead: "is unreachable, is down" },
  { pattern: /\b(?:is|are|be|was|were) noted\b/i, instead: "is recorded" },
  { pattern: /\b(?:any|no) more(?=[.,:;)]|$)/i, instead: "no longer" },
  { pattern: /\bas (?:it is|they are)(?=[.,:;)]|$)/i, instead: "unchanged" },
  { pattern: /\bfor (?:good|ever)(?=[.,:;)]|$)/i, instead: "permanently, forever" },
  { pattern: /\bbut for\b/i, instead: "except" },
  { pattern: /\b(?<!there )(?:is|are|was|were) no (?:fault|record|number|text|list)\b/i, instead: "is not a" },
];

/**
 * The text of the pages, in three languages, follows a list of terms instead. This file and its test quote the words that it
 * rejects.
 */
const exempt = [
  "api/pages/messages/",
  "scripts/develop/checks/check-words.ts",
  "test/scripts/develop/checks/check-words.test.ts",
];
/** A string with fewer spaces is a name or a value. */
const MIN_BLANKS = 2;

/** Returns the marked words in the comments and strings of a file, each with its line and its replacement. */
export function translatedSentences(path: string, source: string): string[] {
  const { program, comments, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  const faults: string[] = [];
  const check = (text: string, start: number): void => {
    const sentence = plainText(text);
    for (const { pattern, instead } of words) {
      const found = pattern.exec(sentence)?.[0].trim();
      const line = source.slice(0, start).split("\n").length;
      if (found !== undefined) faults.push(`${path}:${line}: not "${found}" but ${instead}`);
    }
  };
  const checkText = (text: string, start: number): void => {
    if (text.split(" ").length > MIN_BLANKS) check(text, start);
  };
  for (const { value, start } of blocksOf(comments, source)) check(value, start);
  new Visitor({
    Literal({ value, start }) {
      if (typeof value === "string") checkText(value, start);
    },
    TemplateLiteral({ quasis, start }) {
      checkText(quasis.map(({ value }) => value.raw).join("..."), start);
    },
  }).visit(program);
  return faults;
}

/** Returns comments. Consecutive comment lines count as one comment, because a sentence may continue on the next line. */
function blocksOf(comments: readonly Comment[], source: string): { value: string; start: number; end: number }[] {
  const blocks: { value: string; start: number; end: number }[] = [];
  for (const { value, start, end } of comments) {
    const last = blocks.at(-1);
    if (last && /^\s*$/.test(source.slice(last.end, start)))
      Object.assign(last, { value: `${last.value}\n${value}`, end });
    else blocks.push({ value, start, end });
  }
  return blocks;
}

/** Returns a comment or string as one line, without stars, quoted code and markup. */
const plainText = (text: string): string =>
  text
    .replace(/\n\s*\*?/g, " ")
    .replace(/^\*/, "")
    .replace(/`[^`]*`|<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();

if (import.meta.main) {
  const paths = (await codeIn(codeFolders)).filter((path) => !exempt.some((start) => path.startsWith(start)));
  const found = paths.map(async (path) => translatedSentences(path, await readFile(new URL(path, root), "utf8")));
  const faults = (await Promise.all(found)).flat().sort();
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
