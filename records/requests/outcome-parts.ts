import { randomUUID } from "node:crypto";
import type { Collection, Db } from "mongodb";
import { keysUnder } from "../../schemas/keys.ts";
import type { KeptOutcome } from "../../schemas/request.ts";
import { rowNotice, rowText } from "../../schemas/row-notice.ts";
import { deleteInBatches } from "../mongodb/delete-in-batches.ts";

/** A part of a chunk's outcomes. Its key begins with the chunk's key. */
interface OutcomePart {
  _id: string;
  /** JSON. */
  outcomes: string;
}

/**
 * Size of a part in bytes of JSON. A chunk's document contains one part in addition to its rows, which take up at most 8 MiB.
 * So no document exceeds 16 MiB, no matter how many outcomes there are.
 */
export const BYTES_PER_PART = 4 * 2 ** 20;
/** Maximum size of the errors of one outcome in JSON; the rest is omitted. A row has at most one error per link. */
export const BYTES_PER_OUTCOME = 2 ** 20;

const partCollection = (db: Db): Collection<OutcomePart> => db.collection<OutcomePart>("outcome");
const prefixOf = (chunk: string): string => `${chunk}/outcomes/`;

/** Returns outcomes as JSON lists, in order: a single list if it fits into the chunk's document. */
export function splitOutcomes(outcomes: readonly KeptOutcome[]): string[] {
  const parts: string[] = [];
  let texts: string[] = [];
  let bytes = 0;
  const endPart = () => parts.push(`[${texts.join(",")}]`);
  for (const outcome of outcomes) {
    const text = boundedText(outcome);
    const length = Buffer.byteLength(text) + 1;
    if (texts.length > 0 && bytes + length > BYTES_PER_PART) {
      endPart();
      texts = [];
      bytes = 0;
    }
    texts.push(text);
    bytes += length;
  }
  endPart();
  return parts;
}

/**
 * Stores the parts of a chunk's outcomes and returns their keys. Each call stores new parts: the chunk refers to the valid parts.
 */
export async function storeParts(db: Db, chunk: string, parts: readonly string[]): Promise<string[]> {
  const settlement = randomUUID();
  const keys: string[] = [];
  // Inserted one by one, since together the parts may exceed the maximum size of a command.
  for (const [index, outcomes] of parts.entries()) {
    const _id = `${prefixOf(chunk)}${settlement}/${index}`;
    await partCollection(db).insertOne({ _id, outcomes });
    keys.push(_id);
  }
  return keys;
}

/** Reads outcomes that are stored in parts. */
export async function readPartsOf(db: Db, keys: readonly string[]): Promise<KeptOutcome[]> {
  const found = await partCollection(db)
    .find({ _id: { $in: [...keys] } })
    .toArray();
  const byKey = new Map(found.map(({ _id, outcomes }) => [_id, outcomes]));
  return keys.flatMap((key) => JSON.parse(byKey.get(key) ?? "[]") as KeptOutcome[]);
}

/** Deletes all parts of a chunk, including parts that a killed process left behind. */
export const forgetParts = (db: Db, chunk: string): Promise<number> =>
  deleteInBatches(partCollection(db), { _id: keysUnder(prefixOf(chunk)) }, { sort: { _id: 1 } });

/**
 * JSON in UTF-8 has at most this many bytes per code unit of a string: up to 3 without an escape sequence, up to 6 with one.
 */
const MAX_BYTES_PER_UNIT = 6;
const MAX_ERRORS = 100;
const MAX_CHARACTERS = 1_000;

/** Returns an outcome as JSON. Only its errors and notices may be long, since they quote other text. */
function boundedText(outcome: KeptOutcome): string {
  if ("number" in outcome) return JSON.stringify(outcome);
  const { errors, notices = [] } = outcome;
  const characters = JSON.stringify(notices).length + errors.reduce((sum, text) => sum + text.length, 0);
  if (characters * MAX_BYTES_PER_UNIT <= BYTES_PER_OUTCOME) return JSON.stringify(outcome);
  const left = errors.length - MAX_ERRORS;
  const first = errors.slice(0, MAX_ERRORS).map((text) => text.slice(0, MAX_CHARACTERS));
  const more = left > 0 ? [rowNotice("MORE_ERRORS", { count: left })] : [];
  // A notice cannot be cut, so if an error is cut, only the English text of the errors is kept.
  const isWhole = first.every((text, index) => text === errors[index]) && notices.length === errors.length;
  return JSON.stringify({
    ...outcome,
    errors: [...first, ...more.map(rowText)],
    notices: isWhole ? [...notices.slice(0, MAX_ERRORS), ...more] : undefined,
  });
}
