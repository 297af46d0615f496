import type { Cause } from "../../schemas/cause.ts";
import type { Hold } from "../../schemas/held-request.ts";
import { chunkKey } from "../../schemas/keys.ts";
import { listOfRequest } from "../../schemas/price-list.ts";
import { INTERACTIVE_ROWS, type Urgency } from "../../schemas/urgency.ts";
import type { Chunk } from "./journal.ts";

/** A validated request, which takes effect once it is journaled. */
export interface AcceptedRequest {
  store: string;
  operation: string;
  rows: readonly unknown[];
  /** How many rows each row counts as; 1 if absent. */
  weights?: readonly number[];
  /**
   * Number of links in each row; if absent, rows have no links. Each link is applied separately and has its own outcome or error.
   */
  links?: readonly number[];
  /** Whether the request waits until all smaller numbers of its store are settled. */
  ordered: boolean;
  /** Bulk if the tenant already has its share of interactive rows in progress; if absent, the request's size decides. */
  urgency?: Urgency | undefined;
  /** Only for requests that draw an uploaded image: its number of pixels. */
  pixels?: number;
  /** The call that made the request. */
  cause?: Cause | undefined;
  /** The price list that its changes belong to; if empty, a new list that is named after the request's number. */
  list?: string | undefined;
  /** The request is held: it takes effect once somebody approves it. */
  hold?: Hold;
  /** The journal takes only one request with this key. */
  deduplicationKey?: string;
}

export type JournaledChunk = Omit<Chunk, "journaledAt">;

/** A request whose rows are already serialised, in the parts that become its chunks. */
export interface SplitRequest {
  request: Omit<AcceptedRequest, "rows" | "weights" | "links">;
  parts: readonly Part[];
  bytes: number;
}

type Part = Pick<Chunk, "rows" | "size" | "firstRow" | "weight">;

const ROWS_PER_CHUNK = 1000;
/** Maximum number of links in a chunk; a row with more is a separate chunk. A job applies all links of a chunk in one step. */
export const LINKS_PER_CHUNK = 2000;
/** Size in JSON; a larger row becomes a separate chunk. */
const BYTES_PER_CHUNK = 4 * 2 ** 20;
export const BYTES_PER_COMMAND = 4 * 2 ** 20;
/** How much JSON is serialised in one step, which takes about a millisecond. */
const BYTES_PER_STEP = 256 * 2 ** 10;

/** Returns the number of rows that a request counts as. */
export const sizeOf = ({ rows, weights = [] }: Pick<AcceptedRequest, "rows" | "weights">): number =>
  rows.reduce<number>((sum, _, index) => sum + (weights[index] ?? 1), 0);

/** Returns the chunks of a numbered request; they are not yet journaled. */
export function numberedChunks(
  {
    request: { store, operation, ordered, pixels, cause, list, hold, deduplicationKey, ...request },
    parts,
  }: SplitRequest,
  number: number,
  drawnAt: Date,
  validFor: number,
): JournaledChunk[] {
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  // The same item may be in two chunks, so the chunks of a request must be applied in order.
  const isOrdered = ordered || parts.length > 1;
  const urgency: Urgency = size > INTERACTIVE_ROWS ? "bulk" : (request.urgency ?? "interactive");
  const shared = {
    store,
    number,
    chunks: parts.length,
    operation,
    ordered: isOrdered,
    urgency,
    drawnAt,
    validFor,
    generation: 0,
    open: hold === undefined,
    ...(hold && { held: true as const }),
    ...(pixels !== undefined && { pixels }),
    ...(list !== undefined && { list: list || listOfRequest(number) }),
    ...(cause && { cause: { ...cause, request: number, acceptedAt: drawnAt.getTime(), urgency } }),
  };
  return parts.map((part, index) => ({
    ...shared,
    ...part,
    _id: chunkKey(store, number, index),
    index,
    ...(hold && index === 0 && { hold }),
    ...(deduplicationKey !== undefined && { deduplicationKey: `${deduplicationKey}/${index}` }),
  }));
}

/** Splits a request in one step: for requests that are known to be small. */
export function splitRequest(request: AcceptedRequest): SplitRequest {
  const steps = splitInSteps(request);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Splits rows into parts of at most 1,000 rows, 2,000 links and 4 MiB of JSON, and pauses after every 256 KiB, so that its
 * caller can let other work run. A request that is split without a pause is small.
 */
export function* splitInSteps({
  rows,
  weights = [],
  links = [],
  ...request
}: AcceptedRequest): Generator<undefined, SplitRequest, undefined> {
  const parts: Part[] = [];
  let texts: string[] = [];
  let size = 0;
  let linked = 0;
  let bytes = 0;
  let firstRow = 0;
  let total = 0;
  let pauseAt = BYTES_PER_STEP;
  const endPart = () => {
    const weight = weightOf(linked, bytes);
    if (texts.length > 0)
      parts.push({ rows: `[${texts.join(",")}]`, size, firstRow, ...(weight > size && { weight }) });
  };
  for (const [index, row] of rows.entries()) {
    const text = JSON.stringify(row);
    const length = Buffer.byteLength(text);
    const weight = weights[index] ?? 1;
    const own = links[index] ?? 0;
    if (size + weight > ROWS_PER_CHUNK || linked + own > LINKS_PER_CHUNK || bytes + length > BYTES_PER_CHUNK) {
      endPart();
      texts = [];
      size = 0;
      linked = 0;
      bytes = 0;
      firstRow = index;
    }
    texts.push(text);
    size += weight;
    linked += own;
    bytes += length;
    total += length;
    if (total <= pauseAt) continue;
    pauseAt = total + BYTES_PER_STEP;
    yield;
  }
  endPart();
  return { request, parts, bytes: total };
}

/**
 * Returns the cost, in rows, of applying links and bytes: a chunk that is full of either weighs as much as a chunk that is full
 * of rows.
 */
const weightOf = (links: number, bytes: number): number =>
  Math.ceil(ROWS_PER_CHUNK * Math.max(links / LINKS_PER_CHUNK, bytes / BYTES_PER_CHUNK));

/** Groups chunks so that each group fits into one database command: at most 4 MiB, or one chunk. */
export function inCommands(chunks: readonly JournaledChunk[]): JournaledChunk[][] {
  const groups: JournaledChunk[][] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    const length = Buffer.byteLength(chunk.rows);
    const last = groups.at(-1);
    bytes += length;
    if (last && bytes <= BYTES_PER_COMMAND) {
      last.push(chunk);
    } else {
      groups.push([chunk]);
      bytes = length;
    }
  }
  return groups;
}
