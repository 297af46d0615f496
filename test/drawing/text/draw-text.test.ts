import test from "ava";
import fc from "fast-check";
import { DrawingError } from "../../../drawing/text/drawing-error.ts";
import type { Element } from "../../../schemas/canvas.ts";
import type { TextElement } from "../../../schemas/canvas-texts.ts";
import { drawElements, inkOf, rowsOf } from "../drawing.ts";

const area = { x: 20, y: 20, width: 200, height: 60 };
const text: TextElement = { kind: "text", ...area, font: "bold", size: 20, text: "Hmm", color: "black" };
const LONG = "Domaći kruh iz krušne peći";
const NOBODYS = "\u{10fffd}";

const draw = (more: Partial<TextElement>) => drawElements([{ ...text, ...more }]);
const inkOfText = (more: Partial<TextElement>) => inkOf(draw(more).picture);
const near = (one: number | undefined, other: number) => Math.abs((one ?? Number.NaN) - other);

test("text is at the left, in the middle or at the right of its area", (t) => {
  t.true(near(inkOfText({})?.left, 20) <= 4);
  t.deepEqual(inkOfText({ align: "left" }), inkOfText({}));
  const { left = 0, right = 0 } = inkOfText({ align: "center" }) ?? {};
  t.true(near((left + right) / 2, 120) <= 2);
  t.true(near(inkOfText({ align: "right" })?.right, 220) <= 3);
});

test("text is at the top, in the middle or at the bottom of its area", (t) => {
  const tall = { height: 90, size: 24 };
  t.true(near(inkOfText(tall)?.top, 20) <= 6);
  t.deepEqual(inkOfText({ ...tall, verticalAlign: "top" }), inkOfText(tall));
  const { top = 0, bottom = 0 } = inkOfText({ ...tall, verticalAlign: "middle" }) ?? {};
  t.true(near((top + bottom) / 2, 65) <= 3);
  t.true(near(inkOfText({ ...tall, verticalAlign: "bottom" })?.bottom, 110) <= 7);
});

test("with baseline alignment letters rest on the lower edge of their area at every size, and commas descend below it", (t) => {
  for (const size of [9, 12, 16, 24, 36])
    for (const [sent, lines] of [
      ["Hmm", 1],
      ["Hmm\nHHH", 2],
    ] as const) {
      const at = { size, minimumSize: size, lines, height: 90, verticalAlign: "baseline" } as const;
      t.is(inkOfText({ ...at, text: sent })?.bottom, 110, `${sent} at ${size}`);
      t.true((inkOfText({ ...at, text: `${sent},` })?.bottom ?? 0) > 110, `${sent}, at ${size}`);
    }
});

test("if commas would extend below the label, the line moves up by that height", (t) => {
  const low = { size: 48, minimumSize: 48, height: 90, verticalAlign: "baseline", text: "Hgm," } as const;
  t.true((inkOfText(low)?.bottom ?? 121) <= 120);
});

test("each line of struck text has a strike line in its own colour", (t) => {
  for (const struck of [true, "middle", "diagonal"] as const) {
    const rows = rowsOf(draw({ text: "Hmm\nHmm", lines: 2, struck, struckColor: "red" }).picture);
    const red = rows.map((row, y) => (row.includes("R") ? y : -1)).filter((y) => y >= 0);
    t.true(red.some((y) => y < 42) && red.some((y) => y > 42), `${red}`);
    t.true(rows.every((row) => row.lastIndexOf("R") < 220 && (row.indexOf("R") === -1 || row.indexOf("R") >= 19)));
  }
});

test("text that is too wide or too tall shrinks until it fits", (t) => {
  for (const room of [{ width: 30 }, { height: 14 }]) {
    const ink = inkOfText({ ...room, text: "ČgÅj", size: 40, minimumSize: 4 });
    t.true(ink && ink.left >= 19 && ink.right <= 20 + (room.width ?? 200) && ink.top >= 20);
    t.true(ink && ink.bottom <= 20 + (room.height ?? 60));
  }
});

test("text that does not fit at its minimum size is cut, drawn inside its area, and reported", (t) => {
  const { picture, warnings } = draw({ text: LONG, width: 60, minimumSize: 16 });
  const ink = inkOf(picture);
  t.true(ink && ink.left >= 20 && ink.right <= 80);
  t.deepEqual(warnings, [`"${LONG}" is cut: it does not fit at 16 pixels`]);
});

const warningsOf = (more: Partial<TextElement>) => draw({ height: 20, ...more }).warnings;

test("text is never drawn at a size at which its letters could be confused, and the larger size is reported", (t) => {
  t.deepEqual(warningsOf({ text: "Jam", size: 6 }), ['"Jam" is drawn at 8 pixels because it is not legible at 6']);
  t.deepEqual(warningsOf({ text: "sušeno", size: 8 }), [
    '"sušeno" is drawn at 9 pixels because it is not legible at 8',
  ]);
  t.deepEqual(warningsOf({ text: "Čaj", size: 8 }), ['"Čaj" is drawn at 10 pixels because it is not legible at 8']);
  t.deepEqual(warningsOf({ text: "чай", size: 9 }), ['"чай" is drawn at 11 pixels because it is not legible at 9']);
  t.deepEqual(warningsOf({ text: "biệt sữa ấm", size: 8 }), [
    '"biệt sữa ấm" is drawn at 12 pixels because it is not legible at 8',
  ]);
  t.deepEqual(draw({ text: "Čaj", height: 20, size: 8 }).picture, draw({ text: "Čaj", height: 20, size: 10 }).picture);
});

test("text that does not fit at its legible size is omitted, and the label is drawn without it", (t) => {
  const { picture, warnings } = draw({ text: "Čaj", size: 6, height: 7 });
  t.is(inkOf(picture), undefined);
  t.deepEqual(warnings, ['"Čaj" is left out: it does not fit at 10 pixels, and is not legible below that size']);
});

test("text shrinks only to its legible size and is cut there", (t) => {
  t.deepEqual(warningsOf({ text: "ČAJČAJČAJČAJČAJ", width: 60, size: 16, minimumSize: 6 }), [
    '"ČAJČAJČAJČAJČAJ" is cut: it does not fit at 10 pixels',
    '"ČAJČAJČAJČAJČAJ" is not legible below 10 pixels',
  ]);
});

test("text that must be complete is a fault if it would be cut", (t) => {
  const tooLong = { text: LONG, width: 60, minimumSize: 16, whole: true };
  t.throws(() => draw(tooLong), {
    instanceOf: DrawingError,
    message: /"Domaći kruh.*" must be shown completely.*60 x 60/,
  });
  t.throws(() => draw({ text: "Hm", height: 10, minimumSize: 16, whole: true }), { instanceOf: DrawingError });
  t.deepEqual(draw({ whole: true }).picture, draw({}).picture);
});

test("text may have several lines", (t) => {
  const long = { text: LONG, width: 160, minimumSize: 20 };
  const [one, two] = [inkOfText(long), inkOfText({ ...long, lines: 2 })];
  t.true((two?.bottom ?? 0) - (one?.bottom ?? 0) > 15);
});

test("the design sets the distance between lines", (t) => {
  const bottomAt = (lineHeight: number) => inkOfText({ text: "H\nH", lines: 2, size: 20, lineHeight })?.bottom ?? 0;
  t.deepEqual([bottomAt(120) - bottomAt(100), bottomAt(150) - bottomAt(100)], [4, 10]);
  t.deepEqual(inkOfText({ text: "H\nH", lines: 2 }), inkOfText({ text: "H\nH", lines: 2, lineHeight: 117 }));
});

for (const [what, more] of [
  ["a line taller than its area", { height: 10, minimumSize: 20 }],
  ["an area without space for an ellipsis", { width: 8, minimumSize: 20 }],
] as const) {
  test(`${what} even at the minimum size causes the text to be omitted with an error, or the label to be blank if the text must be complete`, (t) => {
    const { picture, errors } = draw(more);
    t.is(inkOf(picture), undefined);
    t.regex(errors.join("; "), /^the text "Hmm" does not fit .* even at 20: it is left out$/);
    t.throws(() => draw({ ...more, whole: true }), { instanceOf: DrawingError, message: /must be shown completely/ });
  });
}

test("a character that the font lacks is drawn as a box, with a warning", (t) => {
  const { picture, warnings } = draw({ text: `a${NOBODYS}` });
  t.true((inkOf(picture)?.right ?? 0) - (inkOfText({ text: "a" })?.right ?? 0) >= 8);
  t.deepEqual(warnings, [`the font has no "${NOBODYS}"`]);
});

const same: [rule: string, one: string, other: string][] = [
  ["decomposed accents are composed", "c\u030ca\u0301j", "čáj"],
  ["all kinds of line breaks are equal", "a\r\nb\rc\u2028d", "a\nb\nc\nd"],
  ["a tab is a space", "a\tb", "a b"],
  ["invisible characters take no space", "a\u200bb\u200d\ufeffc\ufe0f", "abc"],
  ["a soft hyphen is not drawn", "vrlo\u00addugo", "vrlodugo"],
];

for (const [rule, one, other] of same) {
  test(rule, (t) => {
    const [left, right] = [draw({ text: one, lines: 4, height: 100 }), draw({ text: other, lines: 4, height: 100 })];
    t.deepEqual(left, right);
    t.deepEqual(left.warnings, []);
  });
}

test("text in the colour of its background causes a warning", (t) => {
  const behind: Element = { kind: "box", x: 0, y: 0, width: 300, height: 120, fill: ["yellow", "black"] };
  const element: TextElement = { ...text, color: ["yellow", "black"] };
  t.deepEqual(drawElements([behind, element]).warnings, ['"Hmm" is invisible: it has the colour of its background']);
  t.deepEqual(drawElements([behind, { ...element, color: "white" }]).warnings, []);
});

test("text outside the label is omitted with an error, or the label is blank if the text must be complete", (t) => {
  for (const position of [{ x: 400 }, { y: -200 }]) {
    t.deepEqual(draw(position).errors, ['"Hmm" lies outside the label: it is left out']);
    t.throws(() => draw({ ...position, whole: true }), { message: /"Hmm" lies outside the label/ });
  }
});

test("text that misses its area leaves the label's other elements unchanged", (t) => {
  const price = {
    kind: "price",
    x: 10,
    y: 50,
    width: 200,
    height: 60,
    font: "bold",
    size: 48,
    color: "black",
  } as const;
  const small = { kind: "text", x: 10, y: 4, width: 6, height: 8, font: "regular", size: 12, color: "black" } as const;
  const { picture, errors } = drawElements([
    { ...small, text: "500 g" },
    { ...price, value: "1.19" },
  ]);
  t.deepEqual(picture, drawElements([{ ...price, value: "1.19" }]).picture);
  t.is(errors.length, 1);
});

test("a message quotes only as much text as a reader needs", (t) => {
  const { warnings } = draw({ text: "a".repeat(4000), width: 30, minimumSize: 20 });
  t.deepEqual(warnings, [`"${"a".repeat(60)}..." is cut: it does not fit at 20 pixels`]);
});

const look = fc.record({
  width: fc.integer({ min: 30, max: 270 }),
  height: fc.integer({ min: 16, max: 90 }),
  font: fc.constantFrom<TextElement["font"]>("regular", "bold", "condensed", "condensed-bold"),
  size: fc.integer({ min: 8, max: 60 }),
  lines: fc.integer({ min: 1, max: 4 }),
  lineHeight: fc.integer({ min: 100, max: 150 }),
  align: fc.constantFrom<TextElement["align"]>("left", "center", "right"),
  verticalAlign: fc.constantFrom<TextElement["verticalAlign"]>("top", "middle", "bottom"),
});

test("the ink of a text element stays inside its area, except for one pixel of rounding", (t) => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-ZČĆŽŠĐa-zčćžšđjgÅŐ0-9,.€ ]{1,40}$/), look, (sent, more) => {
      const ink = inkOf(draw({ ...more, minimumSize: 8, text: sent }).picture);
      if (ink === undefined) return true;
      const [right, bottom] = [20 + more.width, 20 + more.height];
      return ink.left >= 19 && ink.right <= right + 1 && ink.top >= 19 && ink.bottom <= bottom + 1;
    }),
    { numRuns: 100 },
  );
  t.pass();
});
