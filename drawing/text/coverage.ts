/** The formats of character maps in this project's typefaces (OpenType, `cmap`). */
const SEGMENTS = 4;
const GROUPS = 12;
const LAST_OF_SEGMENTS = 0xffff;

/**
 * Returns the code points for which a TrueType file has a glyph. A canvas draws missing characters with any font of the
 * machine, so pictures would differ between machines. The drawing code must therefore know which characters are missing.
 */
export function coverageOf(file: Buffer): ReadonlySet<number> {
  const table = tableOf(file, "cmap");
  const covered = new Set<number>();
  const maps = table.readUInt16BE(2);
  for (let map = 0; map < maps; map += 1) {
    const subtable = table.subarray(table.readUInt32BE(4 + map * 8 + 4));
    const format = subtable.readUInt16BE(0);
    if (format === SEGMENTS) addSegments(covered, subtable);
    if (format === GROUPS) addGroups(covered, subtable);
  }
  return covered;
}

function tableOf(file: Buffer, tag: string): Buffer {
  const tables = file.readUInt16BE(4);
  for (let table = 0; table < tables; table += 1) {
    const entry = 12 + table * 16;
    if (file.toString("latin1", entry, entry + 4) === tag) return file.subarray(file.readUInt32BE(entry + 8));
  }
  throw new TypeError(`the font file has no table "${tag}"`);
}

function addSegments(covered: Set<number>, map: Buffer): void {
  const size = map.readUInt16BE(6);
  const [ends, starts, deltas, offsets] = [14, 16 + size, 16 + 2 * size, 16 + 3 * size] as const;
  for (let at = 0; at < size; at += 2) {
    const start = map.readUInt16BE(starts + at);
    const end = Math.min(map.readUInt16BE(ends + at), LAST_OF_SEGMENTS - 1);
    const offset = map.readUInt16BE(offsets + at);
    for (let code = start; code <= end; code += 1) {
      const listed = offset === 0 ? code : map.readUInt16BE(offsets + at + offset + 2 * (code - start));
      const glyph = listed === 0 ? 0 : (listed + map.readUInt16BE(deltas + at)) & 0xffff;
      if (glyph !== 0) covered.add(code);
    }
  }
}

function addGroups(covered: Set<number>, map: Buffer): void {
  const groups = map.readUInt32BE(12);
  for (let group = 0; group < groups; group += 1) {
    const at = 16 + group * 12;
    const [start, end, glyph] = [map.readUInt32BE(at), map.readUInt32BE(at + 4), map.readUInt32BE(at + 8)];
    for (let code = start; code <= end; code += 1) if (glyph + code - start !== 0) covered.add(code);
  }
}
