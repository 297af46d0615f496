import { readFileSync } from "node:fs";

const read = (path: string): Buffer => readFileSync(new URL(`../../../node_modules/${path}`, import.meta.url));

/** Fonts from packages that the product depends on, none of them a design typeface: a TTF in two weights, and an OTF. */
export const serif = read("dejavu-fonts-ttf/ttf/DejaVuSerif.ttf");
export const boldSerif = read("dejavu-fonts-ttf/ttf/DejaVuSerif-Bold.ttf");
/** This font also has Hebrew and Arabic. */
export const sans = read("dejavu-fonts-ttf/ttf/DejaVuSans.ttf");
export const otf = read("bwip-js/fonts/Inconsolata.otf");

/** Copies a font, with a change at the start of a table or in the table's directory entry. */
export function changed(
  font: Buffer,
  tag: string,
  change: (file: Buffer, table: number, entry: number) => void,
): Buffer {
  const file = Buffer.from(font);
  const entry = file.indexOf(tag, 12, "latin1");
  change(file, file.readUInt32BE(entry + 8), entry);
  return file;
}
