import test from "ava";
import fc from "fast-check";
import { type FittedText, fitText, lineHeightOf, type TextArea } from "../../../drawing/text/fit-text.ts";

/** A typeface of three widths in em, whose sums are exact. */
const widths: Readonly<Record<string, number>> = { " ": 0.25, i: 0.25, Q: 1, "…": 1 };
const measure = (text: string): number => [...text].reduce((sum, character) => sum + (widths[character] ?? 0.5), 0);

const characters = ["i", "a", "Q", "č", "5", "5", ",", " ", " ", "\u00a0", "\n", "😀", "\u0323"];
const text = fc.string({ unit: fc.constantFrom(...characters), maxLength: 60 });

/** The lines without blanks at their ends. */
const tidyText = text.map((one) => one.trim().replace(/\s*\n\s*/g, "\n"));

/** Areas in which at least one character fits at the minimum size. */
const area = fc
  .record({
    size: fc.integer({ min: 4, max: 60 }),
    minimumSize: fc.integer({ min: 4, max: 60 }),
    height: fc.integer({ min: 1, max: 200 }),
    lines: fc.integer({ min: 1, max: 6 }),
    lineHeight: fc.constantFrom(0.875, 1.125, 2),
    lineExtent: fc.constantFrom(1, 1.25),
  })
  .chain((rest) => fc.integer({ min: smallestOf(rest), max: 400 }).map((width): TextArea => ({ ...rest, width })));

const smallestOf = ({ size, minimumSize }: Pick<TextArea, "size" | "minimumSize">) => Math.min(size, minimumSize);

const numbers = /\d+(?:[.,\u00a0]\d+)*/g;

/** The characters of the text between each line and the next; undefined if the lines are not the text in order. */
function gapsOf(source: string, { lines }: FittedText): string[] | undefined {
  const gaps: string[] = [];
  let from = 0;
  for (const line of lines.filter((one) => one.trim() !== "")) {
    const at = source.indexOf(line, from);
    if (at < 0) return undefined;
    gaps.push(source.slice(from, at));
    from = at + line.length;
  }
  return [...gaps.slice(1), source.slice(from)];
}

const breaksWord = (source: string, fitted: FittedText): boolean =>
  gapsOf(source, fitted)?.slice(0, -1).includes("") ?? false;

const law = (name: string, holds: (source: string, area: TextArea, fitted: FittedText) => boolean) =>
  test(name, (t) => {
    fc.assert(
      fc.property(text, area, (source, room) => holds(source, room, fitText(source, room, measure))),
      { numRuns: 1000 },
    );
    t.pass();
  });

law("no line is wider than its area", (_, { width }, { size, lines }) =>
  lines.every((line) => measure(line) * size <= width),
);

law(
  "there are never more lines than allowed or than fit the height, but always one",
  (_, { lines: maxLines, height, lineHeight, lineExtent }, { size, lines, leavesArea }) => {
    const block = (lines.length - 1) * lineHeightOf(size, lineHeight) + size * lineExtent;
    return lines.length <= maxLines && (block <= height || (lines.length === 1 && leavesArea));
  },
);

law(
  "a text leaves its area only if a line of the smallest size is higher than the area",
  (_, room, { leavesArea }) => leavesArea === smallestOf(room) * room.lineExtent > room.height,
);

law("a number is never cut or broken if it fits into a line", (source, room, { lines }) => {
  const inLine = (number: string) => measure(number) * smallestOf(room) <= room.width;
  const shown = lines.flatMap((line) => line.replace("…", "").match(numbers) ?? []);
  const sent = source.match(numbers) ?? [];
  return !sent.every(inLine) || shown.every((number, index) => number === sent[index]);
});

test("words joined by a no-break space stay in one line", (t) => {
  const group = fc.array(fc.stringMatching(/^[ai]{1,3}$/), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 100, max: 200 }),
      (groups, width) => {
        const held = groups.map((words) => words.join("\u00a0"));
        const { lines, isCut } = fitText(held.join(" "), { ...wide, width, lines: 20, height: 400 }, measure);
        t.deepEqual({ shown: lines.join(" ").split(" "), isCut }, { shown: held, isCut: false });
      },
    ),
  );
});

law(
  "the size is never above the requested one or below the smallest allowed",
  (_, room, { size }) => size <= room.size && size >= smallestOf(room),
);

law("a text that is not cut loses only spaces", (source, _, fitted) => {
  const gaps = gapsOf(source, fitted);
  return fitted.isCut || (gaps?.every((gap) => gap.trim() === "") ?? false);
});

law("a text is cut exactly if it ends in an ellipsis", (_, __, { lines, isCut }) =>
  lines.every((line, index) => line.endsWith("…") === (isCut && index === lines.length - 1)),
);

law("a cut text begins like the whole text", (source, _, { lines, isCut }) => {
  const bare = (one: string) => one.replace(/\s/g, "");
  return !isCut || bare(source).startsWith(bare(lines.join("")).slice(0, -1));
});

law(
  "a text is cut, or a word broken, only at the smallest size",
  (source, room, fitted) => fitted.size === smallestOf(room) || !(fitted.isCut || breaksWord(source, fitted)),
);

test("no larger size fits", (t) => {
  fc.assert(
    fc.property(tidyText, area, (source, room) => {
      const { size } = fitText(source, room, measure);
      const words = source.split(/(?!\u00a0)\s/);
      const larger = Array.from({ length: room.size - size }, (_, index) => size + 1 + index);
      return larger.every(
        (one) =>
          one * room.lineExtent > room.height ||
          words.some((word) => measure(word) * one > room.width) ||
          fitText(source, { ...room, size: one, minimumSize: one }, measure).isCut,
      );
    }),
    { numRuns: 1000 },
  );
  t.pass();
});

const wide = { width: 100, height: 100, size: 10, minimumSize: 10, lines: 3, lineHeight: 1.2, lineExtent: 1 };
const row = "a".repeat(20);
/** Hyphenates every word of eight letters in its middle. */
const parted = (source: string): string => source.replace(/bbbbbbbb/g, "bbbb\u00adbbbb");
const examples: [rule: string, source: string, area: Partial<TextArea>, lines: string[], size: number][] = [
  ["a text that fits stays on one line", "aa aa", {}, ["aa aa"], 10],
  ["spaces inside a line stay unchanged", "a   a", {}, ["a   a"], 10],
  ["lines break at spaces", "aaaaaaaaaaaa aaaaaaaaaaaa", {}, ["aaaaaaaaaaaa", "aaaaaaaaaaaa"], 10],
  ["a line break in the text is kept", "a\na", {}, ["a", "a"], 10],
  ["a text shrinks before it is cut", `${row}aaaa`, { lines: 1, minimumSize: 5 }, [`${row}aaaa`], 8],
  ["a long word is broken at the smallest size", `${row}aaaa`, {}, [row, "aaaa"], 10],
  ["a text that does not fit ends in an ellipsis", row.repeat(3), { lines: 2 }, [row, `${"a".repeat(18)}…`], 10],
  ["lines beyond the height are cut", `${row} a`, { height: 21 }, [`${"a".repeat(18)}…`], 10],
  ["a no-break space ends no line", "aaaaaaaaaaaa\u00a0aaaaaaa a", {}, ["aaaaaaaaaaaa\u00a0aaaaaaa", "a"], 10],
  ["a number is not cut", `${"a".repeat(15)} 12,59`, { lines: 1 }, [`${"a".repeat(15)}…`], 10],
  ["a number that fits is kept", `${"a".repeat(12)} 12,59 kuna`, { lines: 1 }, [`${"a".repeat(12)} 12,59…`], 10],
  ["a word is not broken inside a number", `${"a".repeat(18)}12,59`, {}, ["a".repeat(18), "12,59"], 10],
  ["a number wider than the area is broken", "1".repeat(24), {}, ["1".repeat(20), "1111"], 10],
  ["a mark stays with its letter", `${"a".repeat(20)}\u0323b`, { lines: 2 }, ["a".repeat(19), "a\u0323b"], 10],
  ["a smallest size above the size does not enlarge the text", "a", { minimumSize: 30 }, ["a"], 10],
  ["an empty text is one empty line", "", {}, [""], 10],
  ["a line may end after a hyphen", "aaaaaaaaaa-aaaaaaaaaaaa", {}, ["aaaaaaaaaa-", "aaaaaaaaaaaa"], 10],
  ["a line may end after a slash", "aaaaaaaaaa/aaaaaaaaaaaa", {}, ["aaaaaaaaaa/", "aaaaaaaaaaaa"], 10],
  ["a line does not end in a date or a fraction", "aaaaaaaaaaaaaaa 10/12", {}, ["aaaaaaaaaaaaaaa", "10/12"], 10],
  ["a line does not end before a unit", "aaaaaaaaaaaa aaaaaa/kg", {}, ["aaaaaaaaaaaa", "aaaaaa/kg"], 10],
  ["a zero-width space may end a line", "aaaaaaaaaaaa\u200baaaaaaaaaa", {}, ["aaaaaaaaaaaa", "aaaaaaaaaa"], 10],
  ["a zero-width space is not shown elsewhere", "aaaa\u200baaaa", {}, ["aaaaaaaa"], 10],
  ["a soft hyphen is shown if it ends a line", "aaaaaaaaaaaa\u00adaaaaaaaaaa", {}, ["aaaaaaaaaaaa-", "aaaaaaaaaa"], 10],
  ["a soft hyphen is not shown elsewhere", "aaaa\u00adaaaa", {}, ["aaaaaaaa"], 10],
  [
    "a hyphen without room splits the word before it",
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
    "a unit is not separated from its number by a cut",
    "aaaaaaaaaaaa 500 g aaa",
    { lines: 1 },
    ["aaaaaaaaaaaa 500 g…"],
    10,
  ],
  ["a number is not left without its unit by a cut", "aaaaaaaaaaaaaa 500 g aaa", { lines: 1 }, ["aaaaaaaaaaaaaa…"], 10],
  [
    "a cut at a word leaves whole words",
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
    "a text without room for its end is cut at the end",
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
