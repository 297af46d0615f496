import test from "ava";
import fc from "fast-check";
import { type FittedText, fitText, lineHeightOf, type TextArea } from "../../../drawing/text/fit-text.ts";
import { measure, wide } from "./three-widths.ts";

const characters = ["i", "a", "Q", "č", "5", "5", ",", " ", " ", "\u00a0", "\n", "😀", "\u0323"];
const text = fc.string({ unit: fc.constantFrom(...characters), maxLength: 60 });

/** Text whose lines have no spaces at their ends. */
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

/** Returns the text's characters between each line and the next; undefined if the lines do not follow the text. */
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
  "there is always at least one line, and never more lines than are allowed or fit the height",
  (_, { lines: maxLines, height, lineHeight, lineExtent }, { size, lines, leavesArea }) => {
    const block = (lines.length - 1) * lineHeightOf(size, lineHeight) + size * lineExtent;
    return lines.length <= maxLines && (block <= height || (lines.length === 1 && leavesArea));
  },
);

law(
  "text leaves its area only if a line of the smallest size is taller than the area",
  (_, room, { leavesArea }) => leavesArea === smallestOf(room) * room.lineExtent > room.height,
);

law("a number is never cut or broken if it fits on a line", (source, room, { lines }) => {
  const inLine = (number: string) => measure(number) * smallestOf(room) <= room.width;
  const shown = lines.flatMap((line) => line.replace("…", "").match(numbers) ?? []);
  const sent = source.match(numbers) ?? [];
  return !sent.every(inLine) || shown.every((number, index) => number === sent[index]);
});

test("words joined by a no-break space stay on one line", (t) => {
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
  "the size is never above the requested size or below the smallest allowed size",
  (_, room, { size }) => size <= room.size && size >= smallestOf(room),
);

law("text that is not cut loses only spaces", (source, _, fitted) => {
  const gaps = gapsOf(source, fitted);
  return fitted.isCut || (gaps?.every((gap) => gap.trim() === "") ?? false);
});

law("text is cut if and only if it ends in an ellipsis", (_, __, { lines, isCut }) =>
  lines.every((line, index) => line.endsWith("…") === (isCut && index === lines.length - 1)),
);

law("cut text begins like the whole text", (source, _, { lines, isCut }) => {
  const bare = (one: string) => one.replace(/\s/g, "");
  return !isCut || bare(source).startsWith(bare(lines.join("")).slice(0, -1));
});

law(
  "text is cut or a word broken only at the smallest size",
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
