import { type FontType, fontLimits } from "../../schemas/asset.ts";
import { FileFault } from "../body/refuse-file.ts";

/** The tables of a font by their tags. */
export type Tables = ReadonlyMap<string, Buffer>;

const HEADER_BYTES = 12;
const ENTRY_BYTES = 16;

/** The signatures of font files: a TrueType font starts with a version or `true`, an OpenType font with `OTTO`. */
const signatures: Readonly<Record<string, FontType>> = {
  "\0\x01\0\0": "font/ttf",
  true: "font/ttf",
  OTTO: "font/otf",
};
const SEND = "send the TTF or OTF";

/** Other font formats, with what to send instead. */
const others: Readonly<Record<string, string>> = {
  wOFF: `is a WOFF, a compressed format for browsers: ${SEND} from which it was made`,
  wOF2: `is a WOFF2, a compressed format for browsers: ${SEND} from which it was made`,
  ttcf: `is a collection of several fonts: ${SEND} of one of them`,
  typ1: `is a Type 1 font: ${SEND} of the same face`,
  "%!PS": `is a Type 1 font: ${SEND} of the same face`,
};

/**
 * Reads the table directory of a font (OpenType, "Organization of an OpenType Font"). Throws a FileFault unless the file is a
 * TrueType or OpenType font that contains every table in its directory.
 */
export function readTables(file: Buffer): { mediaType: FontType; tables: Tables } {
  const signature = file.toString("latin1", 0, 4);
  const mediaType = signatures[signature];
  if (mediaType === undefined) throw new FileFault(others[signature] ?? "is not a TTF or OTF font");
  const count = file.length < HEADER_BYTES ? 0 : file.readUInt16BE(4);
  if (count > fontLimits.maxTables)
    throw new FileFault(`has ${count} tables, more than the maximum of ${fontLimits.maxTables}`);
  if (count === 0 || file.length < HEADER_BYTES + count * ENTRY_BYTES) throw new FileFault("is truncated");
  const tables = new Map<string, Buffer>();
  for (let index = 0; index < count; index += 1) {
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    const tag = file.toString("latin1", entry, entry + 4);
    const start = file.readUInt32BE(entry + 8);
    const end = start + file.readUInt32BE(entry + 12);
    if (end > file.length)
      throw new FileFault(`is truncated: its table "${tag}" ends at byte ${end}, but the file at ${file.length}`);
    if (tables.has(tag)) throw new FileFault(`is damaged: it contains the table "${tag}" twice`);
    tables.set(tag, file.subarray(start, end));
  }
  return { mediaType, tables };
}
