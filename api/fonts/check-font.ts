import { type Asset, type Embedding, type FontType, fontLimits } from "../../schemas/asset.ts";
import { FileFault } from "../body/refuse-file.ts";
import { readTables, type Tables } from "./font-tables.ts";
import { findManyParts } from "./glyph-parts.ts";

type Checked = Required<Pick<Asset, "glyphs">> & Pick<Asset, "embedding"> & { mediaType: FontType };

/** Tables that are required to draw any text, whatever the form of the outlines (OpenType). */
const NEEDED = ["cmap", "head", "hhea", "hmtx", "maxp"];
/** Tables that are read as a whole. The others hold each glyph's own data, or are not read. */
const READ_AS_A_WHOLE = ["cmap", "GDEF", "GPOS", "GSUB", "OS/2", "name"];
const HEAD_MAGIC = 0x5f0f3cf5;
const UNITS_PER_EM = { min: 16, max: 16_384 };

/**
 * Returns the media type of a font for designs, and what its file declares. Throws a FileFault unless the file is a
 * TrueType or OpenType font with all of its tables, within `fontLimits`. No glyph is drawn.
 */
export function checkFont(file: Buffer): Checked {
  const { mediaType, tables } = readTables(file);
  for (const tag of [...NEEDED, ...(mediaType === "font/ttf" ? ["glyf", "loca"] : [])])
    if (!tables.has(tag))
      throw new FileFault(`has no table "${tag}", which every ${mediaType} with outlines must have`);
  if (mediaType === "font/otf" && !tables.has("CFF ") && !tables.has("CFF2"))
    throw new FileFault('has no outlines: an OpenType font must have them in a table "CFF " or "CFF2"');
  for (const tag of READ_AS_A_WHOLE) assertSmall(tag, tables.get(tag));
  const glyphs = countGlyphs(tables);
  checkHead(tables, glyphs);
  checkMetrics(tables, glyphs);
  checkParts(tables, glyphs);
  const embedding = embeddingOf(tables.get("OS/2"));
  return { mediaType, glyphs, ...(embedding && { embedding }) };
}

function assertSmall(tag: string, table: Buffer | undefined): void {
  const bytes = table?.length ?? 0;
  if (bytes > fontLimits.maxTableBytes)
    throw new FileFault(`has a table "${tag}" of ${bytes} bytes, more than the maximum of ${fontLimits.maxTableBytes}`);
}

/** Returns a table; throws if it is missing or has fewer than `bytes` bytes. */
function tableOf(tables: Tables, tag: string, bytes: number): Buffer {
  const table = tables.get(tag);
  if (table === undefined || table.length < bytes)
    throw new FileFault(`is damaged: its table "${tag}" has ${table?.length ?? 0} bytes instead of at least ${bytes}`);
  return table;
}

function countGlyphs(tables: Tables): number {
  const glyphs = tableOf(tables, "maxp", 6).readUInt16BE(4);
  if (glyphs === 0) throw new FileFault("has no glyphs");
  if (glyphs > fontLimits.maxGlyphs)
    throw new FileFault(
      `has ${glyphs} glyphs, more than the maximum of ${fontLimits.maxGlyphs}. Remove the glyphs that you do not use`,
    );
  return glyphs;
}

function checkHead(tables: Tables, glyphs: number): void {
  const head = tableOf(tables, "head", 54);
  if (head.readUInt32BE(12) !== HEAD_MAGIC) throw new FileFault('is damaged: its table "head" lacks the magic number');
  const unitsPerEm = head.readUInt16BE(18);
  if (unitsPerEm < UNITS_PER_EM.min || unitsPerEm > UNITS_PER_EM.max)
    throw new FileFault(
      `is damaged: it has ${unitsPerEm} units per em instead of ${UNITS_PER_EM.min} to ${UNITS_PER_EM.max}`,
    );
  const isLong = head.readInt16BE(50) === 1;
  if (tables.has("loca")) tableOf(tables, "loca", (glyphs + 1) * (isLong ? 4 : 2));
}

/** Each glyph has a 2-byte left side bearing. `hhea` declares how many of them also have a 2-byte advance. */
function checkMetrics(tables: Tables, glyphs: number): void {
  const advances = tableOf(tables, "hhea", 36).readUInt16BE(34);
  if (advances === 0 || advances > glyphs)
    throw new FileFault(`is damaged: it has widths for ${advances} of its ${glyphs} glyphs`);
  tableOf(tables, "hmtx", advances * 4 + (glyphs - advances) * 2);
}

function checkParts(tables: Tables, glyphs: number): void {
  const fault = findManyParts(tables, glyphs, fontLimits.maxParts);
  if (fault === undefined) return;
  const { glyph, parts } = fault;
  throw new FileFault(
    parts === Infinity
      ? `is damaged: its glyph ${glyph} contains itself`
      : `cannot be drawn: its glyph ${glyph} has more than the maximum of ${fontLimits.maxParts} parts`,
  );
}

/** The embedding that the bits of `fsType` allow; the least restrictive bit applies (OpenType, `OS/2`). */
function embeddingOf(table: Buffer | undefined): Embedding | undefined {
  if (table === undefined || table.length < 10) return undefined;
  const bits = table.readUInt16BE(8) & 0xe;
  if (bits === 0) return "installable";
  if (bits & 8) return "editable";
  return bits & 4 ? "preview-and-print" : "restricted";
}
