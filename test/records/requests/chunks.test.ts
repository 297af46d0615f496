import test from "ava";
import {
  type AcceptedRequest,
  BYTES_PER_COMMAND,
  inCommands,
  type JournaledChunk,
  numberedChunks,
  splitInSteps,
  splitRequest,
} from "../../../records/requests/chunks.ts";
import { DRAWN } from "./stored-chunk.ts";

const STORE = "t/demo/s/main";
const MIB = 2 ** 20;
const request = (rows: readonly unknown[], given: Partial<AcceptedRequest> = {}): AcceptedRequest => ({
  store: STORE,
  operation: "patch-items",
  rows: rows as AcceptedRequest["rows"],
  ordered: false,
  ...given,
});
/** A row with this many bytes of JSON. */
const rowOf = (bytes: number): string => "x".repeat(bytes - 2);
const rows = (count: number): object[] => Array.from({ length: count }, (_, index) => ({ itemId: String(index) }));
const numbered = (given: AcceptedRequest): JournaledChunk[] => numberedChunks(splitRequest(given), 7, DRAWN, 3_000);

test("a request with one chunk has exactly the fields that its application needs", (t) => {
  t.deepEqual(numbered(request([{ itemId: "a" }])), [
    {
      _id: `${STORE}/requests/7/0`,
      store: STORE,
      number: 7,
      index: 0,
      chunks: 1,
      operation: "patch-items",
      ordered: false,
      urgency: "interactive",
      rows: '[{"itemId":"a"}]',
      size: 1,
      firstRow: 0,
      drawnAt: DRAWN,
      validFor: 3_000,
      generation: 0,
      open: true,
    },
  ]);
});

test("each chunk carries the image's pixels, the call and its deduplication key", (t) => {
  const given = { pixels: 0, cause: { call: "till", request: 3 }, deduplicationKey: "run.0.0" };
  const chunks = numbered(request(rows(1_001), given));
  t.is(chunks.length, 2);
  for (const [index, chunk] of chunks.entries())
    t.like(chunk, {
      pixels: 0,
      cause: { call: "till", request: 7, acceptedAt: DRAWN.getTime(), urgency: "bulk" },
      deduplicationKey: `run.0.0/${index}`,
      ordered: true,
    });
});

test("a request without rows has no chunks", (t) => {
  t.deepEqual(splitRequest(request([])).parts, []);
  t.deepEqual(numbered(request([])), []);
});

test("a part has at most 1,000 weighted rows and records its first row", (t) => {
  const ends = (given: AcceptedRequest) => splitRequest(given).parts.map(({ size, firstRow }) => [size, firstRow]);
  t.deepEqual(ends(request(rows(1_000))), [[1_000, 0]]);
  t.deepEqual(ends(request(rows(2_001))), [
    [1_000, 0],
    [1_000, 1_000],
    [1, 2_000],
  ]);
  t.deepEqual(ends(request(rows(3), { weights: [600, 400, 1] })), [
    [1_000, 0],
    [1, 2],
  ]);
  t.deepEqual(ends(request(rows(2), { weights: [5_000] })), [
    [5_000, 0],
    [1, 1],
  ]);
});

test("a part has at most 4 MiB of JSON, to the byte", (t) => {
  const sizes = (...bytes: number[]) => splitRequest(request(bytes.map(rowOf))).parts.map(({ size }) => size);
  t.deepEqual(sizes(3 * MIB, MIB), [2]);
  t.deepEqual(sizes(3 * MIB, MIB + 1), [1, 1]);
  t.deepEqual(sizes(5 * MIB, 10, 10), [1, 2]);
  t.is(splitRequest(request([rowOf(100), rowOf(50)])).bytes, 150);
});

test("a request of up to 256 KiB is split without a pause, and each additional 256 KiB adds a pause", (t) => {
  const KIB = 2 ** 10;
  const pauses = (...bytes: number[]): number => [...splitInSteps(request(bytes.map(rowOf)))].length;
  t.is(pauses(200 * KIB, 56 * KIB), 0);
  t.is(pauses(200 * KIB, 56 * KIB + 1), 1);
  t.is(pauses(257 * KIB, 256 * KIB), 1);
  t.is(pauses(257 * KIB, 256 * KIB, 2), 2);
});

test("a command carries chunks of at most 4 MiB in total, or one larger chunk", (t) => {
  const chunk = (bytes: number): JournaledChunk => ({
    ...(numbered(request([1]))[0] as JournaledChunk),
    rows: "x".repeat(bytes),
  });
  const counts = (...bytes: number[]) => inCommands(bytes.map(chunk)).map(({ length }) => length);
  t.is(BYTES_PER_COMMAND, 4 * MIB);
  t.deepEqual(counts(), []);
  t.deepEqual(counts(1, 2, 3), [3]);
  t.deepEqual(counts(3 * MIB, MIB, 1), [2, 1]);
  t.deepEqual(counts(3 * MIB, MIB + 1, 1), [1, 2]);
  t.deepEqual(counts(5 * MIB, 1), [1, 1]);
});
