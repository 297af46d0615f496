import test from "ava";
import { FileFault } from "../../../api/body/refuse-file.ts";
import { checkFont } from "../../../api/fonts/check-font.ts";
import { fontLimits } from "../../../schemas/asset.ts";
import { boldSerif, changed, otf } from "./files.ts";

test("a TTF and an OTF are recognized from their bytes, with their glyphs and embedding permissions", (t) => {
  t.deepEqual(checkFont(boldSerif), { mediaType: "font/ttf", glyphs: 3506, embedding: "installable" });
  t.like(checkFont(otf), { mediaType: "font/otf" });
});

for (const [bits, embedding] of [
  [0x0000, "installable"],
  [0x0002, "restricted"],
  [0x0004, "preview-and-print"],
  [0x0008, "editable"],
  [0x000e, "editable"],
] as const)
  test(`fsType ${bits} is reported as ${embedding}, and the font is accepted`, (t) => {
    t.is(checkFont(changed(boldSerif, "OS/2", (file, at) => file.writeUInt16BE(bits, at + 8))).embedding, embedding);
  });

const signed = (signature: string) => Buffer.concat([Buffer.from(signature, "latin1"), boldSerif.subarray(4)]);

const bad: [what: string, file: () => Buffer, message: RegExp][] = [
  ["nothing", () => Buffer.alloc(0), /is not a TTF or OTF font/],
  ["text", () => Buffer.from("hello, world"), /is not a TTF or OTF font/],
  ["a WOFF", () => signed("wOFF"), /is a WOFF.*send the TTF or OTF/],
  ["a WOFF2", () => signed("wOF2"), /is a WOFF2.*send the TTF or OTF/],
  ["a collection", () => signed("ttcf"), /a collection of several fonts: send the TTF or OTF of one/],
  ["a Type 1 font", () => Buffer.from("%!PS-AdobeFont-1.0"), /a Type 1 font/],
  [
    "more tables than a font may have",
    () => changed(boldSerif, "cmap", (file) => file.writeUInt16BE(65_535, 4)),
    /65535 tables/,
  ],
  [
    "two tables with one tag",
    () => changed(boldSerif, "cmap", (file, _, entry) => file.write("head", entry)),
    /contains the table "head" twice/,
  ],
  [
    "no character map",
    () => changed(boldSerif, "cmap", (file, _, entry) => file.write("xxxx", entry)),
    /has no table "cmap"/,
  ],
  [
    "no outlines",
    () => changed(boldSerif, "glyf", (file, _, entry) => file.write("xxxx", entry)),
    /has no table "glyf"/,
  ],
  [
    "an OTF without outlines",
    () => changed(otf, "CFF ", (file, _, entry) => file.write("xxxx", entry)),
    /has no outlines/,
  ],
  [
    "a table beyond the end",
    () => changed(boldSerif, "glyf", (file, _, entry) => file.writeUInt32BE(2 ** 31, entry + 8)),
    /table "glyf" ends at byte \d+/,
  ],
  [
    "a table that is too short",
    () => changed(boldSerif, "head", (file, _, entry) => file.writeUInt32BE(8, entry + 12)),
    /table "head" has 8 bytes instead of at least 54/,
  ],
  [
    "a header without its mark",
    () => changed(boldSerif, "head", (file, at) => file.writeUInt32BE(0, at + 12)),
    /"head" lacks the magic number/,
  ],
  [
    "no units in an em",
    () => changed(boldSerif, "head", (file, at) => file.writeUInt16BE(0, at + 18)),
    /has 0 units per em/,
  ],
  ["no glyphs", () => changed(boldSerif, "maxp", (file, at) => file.writeUInt16BE(0, at + 4)), /has no glyphs/],
  [
    "too many glyphs",
    () => changed(boldSerif, "maxp", (file, at) => file.writeUInt16BE(65_535, at + 4)),
    /65535 glyphs, more than/,
  ],
  [
    "more glyphs than outlines",
    () => changed(boldSerif, "maxp", (file, at) => file.writeUInt16BE(39_999, at + 4)),
    /table "loca" has/,
  ],
  [
    "more widths than glyphs",
    () => changed(boldSerif, "hhea", (file, at) => file.writeUInt16BE(65_535, at + 34)),
    /widths for 65535 of its 3506/,
  ],
  ["a character map that is too large", () => withLargeTable("cmap"), /table "cmap" of \d+ bytes, more than/],
];
for (const [what, file, message] of bad)
  test(`a file with ${what} is refused`, (t) => {
    t.throws(() => checkFont(file()), { instanceOf: FileFault, message });
  });

function withLargeTable(tag: string): Buffer {
  const padded = Buffer.concat([boldSerif, Buffer.alloc(fontLimits.maxTableBytes + 1)]);
  return changed(padded, tag, (file, _, entry) => {
    file.writeUInt32BE(boldSerif.length, entry + 8);
    file.writeUInt32BE(fontLimits.maxTableBytes + 1, entry + 12);
  });
}

test("a truncated font is refused, wherever it ends", (t) => {
  for (const font of [boldSerif, otf]) {
    const step = Math.ceil(font.length / 200);
    // The last bytes may be padding after the last table.
    for (let end = 0; end < font.length - 3; end += end < 400 ? 1 : step)
      t.throws(() => checkFont(font.subarray(0, end)), { instanceOf: FileFault }, `at ${end}`);
  }
});
