import test from "ava";
import { fitText, type TextArea } from "../../../drawing/text/fit-text.ts";
import { measure, wide } from "./three-widths.ts";

const row = "a".repeat(20);
/** Hyphenates every word of eight letters in its middle. */
const parted = (source: string): string => source.replace(/bbbbbbbb/g, "bbbb\u00adbbbb");
const examples: [rule: string, source: string, area: Partial<TextArea>, lines: string[], size: number][] = [
  ["text that fits stays on one line", "aa aa", {}, ["aa aa"], 10],
  ["spaces inside a line stay unchanged", "a   a", {}, ["a   a"], 10],
  ["lines break at spaces", "aaaaaaaaaaaa aaaaaaaaaaaa", {}, ["aaaaaaaaaaaa", "aaaaaaaaaaaa"], 10],
  ["a line break in the text is kept", "a\na", {}, ["a", "a"], 10],
  ["text shrinks before it is cut", `${row}aaaa`, { lines: 1, minimumSize: 5 }, [`${row}aaaa`], 8],
  ["a long word is broken at the smallest size", `${row}aaaa`, {}, [row, "aaaa"], 10],
  ["text that does not fit ends in an ellipsis", row.repeat(3), { lines: 2 }, [row, `${"a".repeat(18)}…`], 10],
  ["lines beyond the height are cut", `${row} a`, { height: 21 }, [`${"a".repeat(18)}…`], 10],
  [
    "a line does not end at a no-break space",
    "aaaaaaaaaaaa\u00a0aaaaaaa a",
    {},
    ["aaaaaaaaaaaa\u00a0aaaaaaa", "a"],
    10,
  ],
  ["a number is not cut", `${"a".repeat(15)} 12,59`, { lines: 1 }, [`${"a".repeat(15)}…`], 10],
  ["a number that fits is kept", `${"a".repeat(12)} 12,59 kuna`, { lines: 1 }, [`${"a".repeat(12)} 12,59…`], 10],
  ["a word is not broken inside a number", `${"a".repeat(18)}12,59`, {}, ["a".repeat(18), "12,59"], 10],
  ["a number wider than the area is broken", "1".repeat(24), {}, ["1".repeat(20), "1111"], 10],
  ["a mark stays with its letter", `${"a".repeat(20)}\u0323b`, { lines: 2 }, ["a".repeat(19), "a\u0323b"], 10],
  ["a smallest size above the size does not enlarge the text", "a", { minimumSize: 30 }, ["a"], 10],
  ["an empty string is one empty line", "", {}, [""], 10],
  ["a line may end after a hyphen", "aaaaaaaaaa-aaaaaaaaaaaa", {}, ["aaaaaaaaaa-", "aaaaaaaaaaaa"], 10],
  ["a line may end after a slash", "aaaaaaaaaa/aaaaaaaaaaaa", {}, ["aaaaaaaaaa/", "aaaaaaaaaaaa"], 10],
  ["a line does not end within a date or a fraction", "aaaaaaaaaaaaaaa 10/12", {}, ["aaaaaaaaaaaaaaa", "10/12"], 10],
  ["a line does not end before a unit", "aaaaaaaaaaaa aaaaaa/kg", {}, ["aaaaaaaaaaaa", "aaaaaa/kg"], 10],
  ["a zero-width space may end a line", "aaaaaaaaaaaa\u200baaaaaaaaaa", {}, ["aaaaaaaaaaaa", "aaaaaaaaaa"], 10],
  ["a zero-width space is not shown elsewhere", "aaaa\u200baaaa", {}, ["aaaaaaaa"], 10],
  ["a soft hyphen is shown if it ends a line", "aaaaaaaaaaaa\u00adaaaaaaaaaa", {}, ["aaaaaaaaaaaa-", "aaaaaaaaaa"], 10],
  ["a soft hyphen is not shown elsewhere", "aaaa\u00adaaaa", {}, ["aaaaaaaa"], 10],
  [
    "a word is split at the last soft hyphen that fits on the line",
    `${"a".repeat(10)}\u00ad${"a".repeat(10)}\u00adaa`,
    {},
    ["aaaaaaaaaa-", "aaaaaaaaaaaa"],
    10,
  ],
  ["a number stays with its unit", "aaaaaaaaaaaaaaaa 500 g", {}, ["aaaaaaaaaaaaaaaa", "500 g"], 10],
  ["a number stays with its multiplication sign", "aaaaaaaaaaaaa 6 x 0,5 l", {}, ["aaaaaaaaaaaaa", "6 x 0,5 l"], 10],
  [
    "a number without a unit does not stay with the next word",
    "aaaaaaaaaaaaaaa 500 aaaa",
    {},
    ["aaaaaaaaaaaaaaa 500", "aaaa"],
    10,
  ],
  [
    "a cut does not separate a unit from its number",
    "aaaaaaaaaaaa 500 g aaa",
    { lines: 1 },
    ["aaaaaaaaaaaa 500 g…"],
    10,
  ],
  ["a cut does not leave a number without its unit", "aaaaaaaaaaaaaa 500 g aaa", { lines: 1 }, ["aaaaaaaaaaaaaa…"], 10],
  [
    "a cut between words leaves whole words",
    "aaaa aaaaaaaa aaaaaaaaaaaa",
    { lines: 1, ellipsis: "word" },
    ["aaaa aaaaaaaa…"],
    10,
  ],
  [
    "a cut in the middle keeps the net content",
    "aaaaaaaaaaaaaaaaaaaaaa 500 g",
    { lines: 1, ellipsis: "middle" },
    ["aaaaaaaaaaaaa… 500 g"],
    10,
  ],
  [
    "a cut in the middle keeps the last word",
    "aaaaaaaaaaaaaaaaaaaaaa iii",
    { lines: 1, ellipsis: "middle" },
    ["aaaaaaaaaaaaaaaa… iii"],
    10,
  ],
  [
    "a cut in the middle uses several lines",
    `${row} ${row} 6 x 1 l`,
    { lines: 2, ellipsis: "middle" },
    [row, "aaaaaaaaaaaa… 6 x 1 l"],
    10,
  ],
  [
    "text whose end does not fit on the line is cut at the end",
    `${row} ${row}`,
    { lines: 1, ellipsis: "middle" },
    [`${"a".repeat(18)}…`],
    10,
  ],
  [
    "balanced lines have equal lengths",
    "aaaa aaaa aaaa aaaa aaaa",
    { isBalanced: true },
    ["aaaa aaaa aaaa", "aaaa aaaa"],
    10,
  ],
  [
    "words are hyphenated before the text shrinks",
    "aaaaaaaaaaaaaa bbbbbbbb aaaaaaaaaaaaaa",
    { hyphenate: parted, minimumSize: 5, lines: 2 },
    ["aaaaaaaaaaaaaa bbbb-", "bbbb aaaaaaaaaaaaaa"],
    10,
  ],
  [
    "words that fit are not hyphenated",
    "aaaaaaaaaaaaaaaa bbbbbbbb",
    { hyphenate: parted, minimumSize: 5 },
    ["aaaaaaaaaaaaaaaa", "bbbbbbbb"],
    10,
  ],
];

for (const [rule, source, room, lines, size] of examples) {
  test(`${rule}: ${JSON.stringify(source)}`, (t) => {
    const fitted = fitText(source, { ...wide, ...room }, measure);
    t.deepEqual({ lines: fitted.lines, size: fitted.size }, { lines, size });
  });
}
