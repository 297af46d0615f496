import { createHash, type Hash } from "node:crypto";
import { countComputing } from "../../schemas/computing-counts.ts";
import { ProblemError } from "../http/problem-error.ts";
import { mayHoldWrittenNumber, parseWritten } from "../tolerance/written-number.ts";
import { countMembers, findDuplicate } from "./duplicate-fields.ts";
import { createPause } from "./pause.ts";
import { createJsonScan, JsonBoundError, type JsonBounds, type JsonPiece } from "./scan-json.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });
/** Decodes the pieces after the first, where a byte order mark is not whitespace. */
const utf8Inside = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Number of bytes scanned in one go, which takes some milliseconds. */
const SCAN_BYTES = 2 ** 20;

/** Called with the number of values in a body before the first is created; throws if there is no room for them. */
type HoldValues = (values: number) => void;

/**
 * Parses a body; undefined if it is empty. The body is scanned first, so that one beyond the bounds is never parsed. A
 * long list is parsed piece by piece, by `parse`, letting other calls run in between. Throws ProblemError.
 */
export async function parseJson(
  bytes: Buffer,
  bounds: JsonBounds,
  hold: HoldValues,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  const pieces = await scan(bytes, bounds);
  hold(pieces.reduce((sum, { values }) => sum + values, 0));
  const [first] = pieces;
  if (first === undefined || pieces.length === 1)
    return parsePiece(bytes, { piece: first, before: "", after: "", parse });
  const list: unknown[] = [];
  const pause = createPause();
  for (const [index, piece] of pieces.entries()) {
    const before = index === 0 ? "" : "[";
    const after = index === pieces.length - 1 ? "" : "]";
    const elements = parsePiece(bytes, { piece, before, after, rows: list.length, parse }) as unknown[];
    // Two commas with no element between them: `[1,,2]`.
    if (elements.length === 0)
      throw new ProblemError("malformed-body", "The body is not valid JSON: an element is missing from a list.");
    for (const element of elements) list.push(element);
    await pause();
  }
  return list;
}

/** Parses a body with its numbers as written; undefined if each number is in its standard form. */
export async function parseWrittenJson(bytes: Buffer, bounds: JsonBounds, hold: HoldValues): Promise<unknown> {
  const pause = createPause();
  for (let start = 0, end = 0; end < bytes.length; start = end) {
    const comma = bytes.indexOf(",", start + SCAN_BYTES);
    end = comma < 0 ? bytes.length : comma;
    if (mayHoldWrittenNumber(bytes.toString("latin1", start, end))) return parseJson(bytes, bounds, hold, parseWritten);
    await pause();
  }
  return undefined;
}

async function scan(bytes: Buffer, bounds: JsonBounds): Promise<JsonPiece[]> {
  const pause = createPause();
  const scanning = createJsonScan(bytes, bounds);
  try {
    for (let end = Math.min(SCAN_BYTES, bytes.length); ; end = Math.min(end + SCAN_BYTES, bytes.length)) {
      scanning.scanTo(end);
      if (end === bytes.length) return scanning.pieces();
      await pause();
    }
  } catch (error) {
    if (!(error instanceof JsonBoundError)) throw error;
    const { message, pointer } = error;
    if (pointer === undefined) throw new ProblemError("malformed-body", message);
    throw new ProblemError("invalid-request", "The body is too large to be read.", {
      errors: [{ pointer, detail: message }],
    });
  }
}

interface Part {
  piece: JsonPiece | undefined;
  /** The characters that turn a piece of a list into a list. */
  before: string;
  after: string;
  /** Elements of the list before the piece. */
  rows?: number;
  parse(text: string): unknown;
}

function parsePiece(bytes: Buffer, { piece, before, after, rows, parse }: Part): unknown {
  if (piece === undefined) return undefined;
  const own = bytes.subarray(piece.start, piece.end);
  const text = decode(own, before !== "");
  if (rows === undefined && text.trim() === "") return undefined;
  const value = parseText(`${before}${text}${after}`, piece.start, parse);
  countComputing("parsedValues", piece.values);
  // If two members have the same name, the intended value is unknown, and a wrong price is worse than a rejected one.
  if (countMembers(value) !== piece.names) {
    const whole = before + after === "" ? own : Buffer.concat([Buffer.from(before), own, Buffer.from(after)]);
    const errors = [{ pointer: behind(rows ?? 0, findDuplicate(whole) ?? ""), detail: "occurs twice" }];
    throw new ProblemError("duplicate-field", "An object in the body contains a field twice.", { errors });
  }
  return value;
}

/** Makes a pointer into a piece relative to the whole list, given the number of elements before the piece. */
const behind = (rows: number, pointer: string): string =>
  rows === 0 ? pointer : pointer.replace(/^\/(\d+)/, (_, index) => `/${rows + Number(index)}`);

function parseText(text: string, start: number, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch (error) {
    const place = start === 0 ? "" : ` (counted from byte ${start})`;
    throw new ProblemError("malformed-body", `The body is not valid JSON: ${(error as Error).message}${place}`);
  }
}

function decode(bytes: Buffer, isInside: boolean): string {
  try {
    return (isInside ? utf8Inside : utf8).decode(bytes);
  } catch {
    throw new ProblemError("malformed-body", "The body is not valid UTF-8.");
  }
}

/** Returns the SHA-256 of a body, letting other calls run in between. */
export async function digestOf(bytes: Buffer): Promise<string> {
  const pause = createPause();
  const digest: Hash = createHash("sha256");
  for (let start = 0; start < bytes.length; start += SCAN_BYTES) {
    digest.update(bytes.subarray(start, start + SCAN_BYTES));
    await pause();
  }
  return digest.digest("hex");
}
