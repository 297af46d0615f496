import { addGlyph, addStrip, type Glyph, glyphOfInk, type Ink, type Strip, widthOf } from "./pixels.ts";
import { type Draw, isThick } from "./signs.ts";

/** The position of a part: its top left pixel. */
interface Placed {
  strip: Strip;
  x: number;
  y: number;
}

/** Draws the outline of a letter, and a part that is lost in small outlines: a bar, a tail or a hook. */
const withPart =
  (letter: string, place: (glyph: Glyph, isThick: boolean, size: number) => Placed): Draw =>
  (letters) => {
    const glyph = letters.glyphOf(letter, letters.size);
    const ink: Ink = new Map();
    addGlyph(ink, glyph);
    const { strip, x, y } = place(glyph, isThick(letters), letters.size);
    addStrip(ink, strip, x, y);
    return glyphOfInk(ink, glyph.shift);
  };

/** The bar through the stem of đ and ħ. */
const withBar = (letter: string, stem: "left" | "right"): Draw =>
  withPart(letter, ({ left, right, top }, _, size) => {
    const strip = "#".repeat(Math.max(4, Math.round(size * 0.4)));
    const x = stem === "left" ? left - 1 : right + 1 - widthOf(strip);
    return { strip, x, y: top + Math.max(1, Math.round(size / 10)) };
  });

/** The stroke through an ł, visible on both sides of the stem. */
const withStroke = (letter: string): Draw =>
  withPart(letter, ({ left, right, top }, thick) => {
    const stem = ".".repeat(right - left);
    const [above, level, under] = [`.${stem}#`, `.${stem}.`, `#${stem}.`];
    const rows = thick ? [above, above, level, under, under] : [above, level, under];
    return { strip: rows.join("/"), x: left - 1, y: Math.round(top * 0.55) - (thick ? 2 : 1) };
  });

/** The hook of a J below the line, and the serif of a hard sign. */
const withHook = (letter: string): Draw =>
  withPart(letter, ({ left, bottom }, thick) => ({ strip: thick ? "##" : "#", x: left - 1, y: bottom - 1 }));
const withSerif = (letter: string): Draw => withPart(letter, ({ left, top }) => ({ strip: "#", x: left - 1, y: top }));

const withDescender = (letter: string): Draw =>
  withPart(letter, ({ right, bottom }, thick) => {
    const strip = thick ? "##/##" : "#/#";
    return { strip, x: right - widthOf(strip) + (bottom > 0 ? 0 : 1), y: Math.min(bottom, 0) };
  });

/** The upturn of ґ, at the right end of г. */
const withUpturn = (letter: string): Draw =>
  withPart(letter, ({ right, top }, thick) => {
    const strip = thick ? "##/##" : "#/#";
    return { strip, x: right - widthOf(strip), y: top - 2 };
  });

/** The ends of a З, which turn inwards. Without them it looks like a 3. */
const withEnds = (letter: string): Draw =>
  withPart(letter, ({ left, top, bottom }, thick) => {
    const [end, far] = thick ? ["##", 2] : ["#", 1];
    const rows = Array.from({ length: bottom - top }, (_, row, last = bottom - top - 1) =>
      row === far || row === last - far ? end : ".",
    );
    return { strip: rows.join("/"), x: left, y: top };
  });

const withTail = (letter: string): Draw =>
  withPart(letter, ({ right }, thick) => ({ strip: thick ? "##./.##" : "#./.#", x: right - (thick ? 3 : 2), y: 0 }));

/** Letters that are drawn with such a part at small sizes. */
export const lettersWithParts: readonly (readonly [character: string, draw: Draw])[] = [
  ["đ", withBar("d", "right")],
  ["ħ", withBar("h", "left")],
  ["ł", withStroke("l")],
  ["Q", withTail("Q")],
  ["J", withHook("J")],
  ["Ј", withHook("Ј")],
  ["ъ", withSerif("ъ")],
  ["ц", withDescender("ц")],
  ["щ", withDescender("щ")],
  ["Ц", withDescender("Ц")],
  ["Щ", withDescender("Щ")],
  ["З", withEnds("З")],
  ["ґ", withUpturn("г")],
  ["Ґ", withUpturn("Г")],
];
