import { countComputing } from "../../schemas/computing-counts.ts";
import { pointerPart } from "../../schemas/fault-texts.ts";

/** Bounds of JSON text, checked before it is parsed. */
export interface JsonBounds {
  maxDepth: number;
  maxValues: number;
  maxElements: number;
  maxFields: number;
  maxTextBytes: number;
  maxRowValues: number;
  maxRowBytes: number;
}

/** A part of a list that ends at one of its commas, or the whole text. */
export interface JsonPiece {
  start: number;
  end: number;
  /** Names in all objects; a name that occurs twice counts twice. */
  names: number;
  /** Values, including lists and objects. */
  values: number;
}

/** Thrown if the text exceeds a bound; the message names the bound. */
export class JsonBoundError extends Error {
  override readonly name = "JsonBoundError";
  /** JSON Pointer to the place; undefined if the nesting is too deep. */
  readonly pointer: string | undefined;
  constructor(message: string, pointer?: string) {
    super(message);
    this.pointer = pointer;
  }
}

export interface JsonScan {
  /** Scans the bytes up to this offset. Throws JsonBoundError. */
  scanTo(end: number): void;
  /** The pieces of the scanned text; meaningless if the text is not JSON. */
  pieces(): JsonPiece[];
}

/** A list is cut into pieces of at least this many bytes, each of which is parsed in one go. */
const PIECE_BYTES = 2 ** 18;

const [QUOTE, COMMA, COLON, BACKSLASH, OPEN_LIST, OPEN_OBJECT] = Buffer.from('",:\\[{');
const isStructure = new Uint8Array(256);
for (const byte of Buffer.from('",:[]{}')) isStructure[byte] = 1;

/**
 * Scans JSON text without parsing it, because `JSON.parse` has no bounds: a few kilobytes of compressed zeros keep it
 * busy for seconds and take gigabytes of memory. In UTF-8 the bytes of the ASCII characters that matter never occur
 * inside another character.
 */
export function createJsonScan(bytes: Uint8Array, bounds: JsonBounds): JsonScan {
  const cuts: JsonPiece[] = [];
  const piece = { start: 0, names: 0, values: 1 };
  const row = { start: 0, values: 0 };
  /** Number of commas so far in each open list or object, which is the index of its current entry. */
  const entries: number[] = [0];
  const lists: boolean[] = [false];
  /** Offset of the current name in each open object. */
  const nameStarts: number[] = [];
  const nameEnds: number[] = [];
  let values = 1;
  let depth = 0;
  let at = 0;
  let isInText = false;
  /** Start of the current string or number. */
  let textStart = 0;
  let lastStart = 0;
  let lastEnd = 0;

  function refuse(what: string, levels = depth): never {
    throw new JsonBoundError(what, pointerTo(levels));
  }

  /** The pointer to the current place, down to this depth. */
  function pointerTo(levels: number): string {
    const parts = Array.from({ length: Math.max(0, levels) }, (_, index) => {
      const level = index + 1;
      if (lists[level]) return String(entries[level]);
      return nameOf(Buffer.from(bytes.subarray(nameStarts[level], nameEnds[level])).toString("utf8"));
    });
    return parts.map((part) => `/${pointerPart(part)}`).join("");
  }

  function countValue(): void {
    values += 1;
    piece.values += 1;
    row.values += 1;
    if (values > bounds.maxValues) refuse(`The body contains more than the maximum of ${bounds.maxValues} values.`, 0);
    if (row.values > bounds.maxRowValues) {
      const what = `A row, or a body that is not a list, contains more than the maximum of ${bounds.maxRowValues} values.`;
      refuse(what, lists[1] ? 1 : 0);
    }
  }

  function endText(end: number): void {
    if (end - textStart > bounds.maxTextBytes)
      refuse(`A string, a number or a run of whitespace is longer than the maximum of ${bounds.maxTextBytes} bytes.`);
  }

  /** The offset after the quote that closes the current string; `end` or more if the string ends later. */
  function textEnd(from: number, end: number): number {
    let index = from;
    for (; index < end; index += 1) {
      const byte = bytes[index];
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) {
        isInText = false;
        endText(index);
        lastStart = textStart;
        lastEnd = index;
        textStart = index + 1;
        return index + 1;
      }
    }
    return index;
  }

  function endRow(end: number): void {
    if (end - row.start > bounds.maxRowBytes)
      refuse(
        `A row, or a body that is not a list, is larger than the maximum of ${bounds.maxRowBytes} bytes.`,
        lists[1] ? 1 : 0,
      );
  }

  function open(isList: boolean): void {
    depth += 1;
    if (depth > bounds.maxDepth)
      throw new JsonBoundError(`The body is nested more than ${bounds.maxDepth} levels deep.`);
    entries[depth] = 0;
    lists[depth] = isList;
    countValue();
  }

  function countEntry(): void {
    countValue();
    const count = (entries[depth] ?? 0) + 1;
    entries[depth] = count;
    // `count` is the number of commas, one less than the number of entries.
    if (count < bounds.maxFields) return;
    if (!lists[depth]) refuse(`An object has more than the maximum of ${bounds.maxFields} fields.`, depth - 1);
    if (count >= bounds.maxElements)
      refuse(`A list contains more than the maximum of ${bounds.maxElements} elements.`, depth - 1);
  }

  function cutAt(index: number): void {
    if (index - piece.start >= PIECE_BYTES) {
      cuts.push({ ...piece, end: index });
      piece.start = index + 1;
      piece.names = 0;
      piece.values = 0;
    }
    endRow(index);
    row.start = index + 1;
    row.values = 0;
  }

  return {
    scanTo(end) {
      countComputing("scannedBytes", end - at);
      let index = isInText ? textEnd(at, end) : at;
      for (; index < end; index += 1) {
        const byte = bytes[index] as number;
        if (isStructure[byte] === 0) continue;
        if (byte === QUOTE) {
          isInText = true;
          textStart = index + 1;
          index = textEnd(index + 1, end) - 1;
          continue;
        }
        if (byte === COLON) {
          piece.names += 1;
          nameStarts[depth] = lastStart;
          nameEnds[depth] = lastEnd;
        } else if (byte === COMMA) {
          endText(index);
          if (depth === 1 && lists[1]) cutAt(index);
          countEntry();
        } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) open(byte === OPEN_LIST);
        else {
          endText(index);
          depth -= 1;
        }
        textStart = index + 1;
      }
      at = index;
      if (isInText) endText(Math.min(at, end));
      endRow(Math.min(at, end));
    },
    pieces: () => [...cuts, { ...piece, end: bytes.length }],
  };
}

/** A name as written in JSON; if it is malformed, it is returned unchanged. */
function nameOf(written: string): string {
  try {
    return JSON.parse(`"${written}"`);
  } catch {
    return written;
  }
}
