import test from "ava";
import { BSON } from "mongodb";
import { bodyLimits } from "../../../api/body/body-limits.ts";
import { MAX_ITEM_BYTES } from "../../../domain/items/item-size.ts";
import { MAX_LINKS_OF_ITEM } from "../../../domain/linking/links-of-item.ts";
import { RECORDS_PER_ENTRY } from "../../../queues/changes/commit.ts";
import { MAX_REASON_CHARACTERS } from "../../../queues/changes/failures.ts";
import { MAX_SUSPECTS } from "../../../queues/walks/walk-stage.ts";
import { allKinds } from "../../../records/all-kinds.ts";
import { LINKS_PER_CHUNK } from "../../../records/requests/chunks.ts";
import { BYTES_PER_OUTCOME, BYTES_PER_PART, splitOutcomes } from "../../../records/requests/outcome-parts.ts";
import { MAX_BYTES, MAX_ERROR_CHARACTERS, MAX_UPDATES } from "../../../records/requests/scheduled-updates.ts";
import { itemKey, linkIdOf, linkKey, storeKey } from "../../../schemas/keys.ts";
import type { Outcome } from "../../../schemas/request.ts";
import { stampOf } from "../../../schemas/stamp.ts";
import type { Change } from "../../../schemas/topics.ts";
import { storedChunk } from "../requests/stored-chunk.ts";

/** The largest documents that the limits allow: everything that grows with use is built at its maximum size. */
const MIB = 2 ** 20;
const MAX_STAMP = stampOf(2 ** 31 - 1, 32_767);
const MAX_DOCUMENT = 16 * MIB;
const AT = new Date(0);

/** A string of this many characters, as long as possible in UTF-8. */
const text = (characters: number): string => "\u20ac".repeat(characters);
const bytes = (count: number): string => "x".repeat(count);
const many = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));

const STORE = storeKey(bytes(64), bytes(64));
const ITEM = itemKey(STORE, text(128));
const LINK = linkIdOf(text(64), 255);
const envelope = {
  _id: ITEM,
  store: STORE,
  rev: Number.MAX_SAFE_INTEGER,
  writeId: bytes(70),
  changedAt: AT,
  cause: { request: 2 ** 31 - 1, call: bytes(128), trace: bytes(55), acceptedAt: AT.getTime(), urgency: "interactive" },
};

/** The field names of the kind whose names are longest in total. */
const longestFields = (await allKinds())
  .map(({ schema }) => Object.keys((schema as { properties?: object }).properties ?? {}))
  .reduce((longest, names) => (names.join().length > longest.join().length ? names : longest), []);
const change: Change = {
  key: linkKey(STORE, LINK).length > ITEM.length ? linkKey(STORE, LINK) : ITEM,
  rev: Number.MAX_SAFE_INTEGER,
  operation: "UPDATED",
  changed: [...longestFields, "inputs"],
  wasDeleted: true,
  urgency: "interactive",
  at: AT.getTime(),
  cause: envelope.cause as NonNullable<Change["cause"]>,
};

const documents: [what: string, document: object, most: number][] = [
  [
    "a chunk with one row of the maximum size, with outcomes",
    storedChunk({
      store: STORE,
      number: 2 ** 31 - 1,
      rows: bytes(bodyLimits.json.maxRowBytes),
      outcomes: bytes(BYTES_PER_PART + BYTES_PER_OUTCOME),
      children: many(1_000, () => ({ stamp: MAX_STAMP, store: STORE, number: 2 ** 31 - 1, drawnAt: AT })),
    }),
    MAX_DOCUMENT,
  ],
  ["a part of outcomes", { _id: ITEM, outcomes: bytes(BYTES_PER_PART + BYTES_PER_OUTCOME) }, 6 * MIB],
  [
    "an outbox entry",
    { _id: bytes(16), kind: bytes(32), since: AT, changes: JSON.stringify(many(RECORDS_PER_ENTRY, () => change)) },
    4 * MIB,
  ],
  ["an inbox entry", { _id: bytes(36), changes: JSON.stringify(many(1_000, () => change)) }, 4 * MIB],
  ["a failure", { ...envelope, change, reason: text(MAX_REASON_CHARACTERS) }, 16 * 2 ** 10],
  [
    "an item's links",
    { ...envelope, links: many(MAX_LINKS_OF_ITEM, () => ({ id: LINK, stamp: MAX_STAMP })) },
    MAX_DOCUMENT,
  ],
  [
    "an item's scheduled updates, all failed",
    {
      ...envelope,
      updates: many(MAX_UPDATES, () => ({
        due: AT,
        stamp: MAX_STAMP,
        patch: bytes(MAX_BYTES / MAX_UPDATES),
        appliedAs: MAX_STAMP,
        failed: { at: AT, errors: many(100, () => text(MAX_ERROR_CHARACTERS / 100)) },
      })),
    },
    MAX_DOCUMENT,
  ],
  // A walk stops only once it has the maximum number of suspects, which its last batch may exceed.
  ["a walk", { ...envelope, suspects: many(MAX_SUSPECTS + 1_000, () => change.key) }, 4 * MIB],
  [
    "an item with the maximum number of properties",
    {
      ...envelope,
      // With the shortest name and value, so that the list's index names are the largest part.
      properties: many(MAX_ITEM_BYTES / JSON.stringify({ key: "a", value: "b", stamp: 1 }).length, () => {
        return { key: "a", value: "b", stamp: MAX_STAMP };
      }),
    },
    4 * MIB,
  ],
  [
    "a store with the maximum number of transceivers",
    {
      ...envelope,
      linkDepartments: many(bodyLimits.json.maxRowValues / 1_000, (index) => ({
        id: `${index}`,
        transceivers: many(1_000, () => bytes(bodyLimits.json.maxRowBytes / bodyLimits.json.maxRowValues)),
      })),
    },
    MAX_DOCUMENT,
  ],
];

for (const [what, document, most] of documents)
  test(`${what} has at most ${most / MIB} MiB`, (t) => {
    const size = BSON.calculateObjectSize(document);
    t.log(`${(size / MIB).toFixed(2)} MiB`);
    t.true(size <= most, `${size} bytes`);
  });

test("outcomes of any size and number are split into parts within the limit, and none is lost", (t) => {
  const outcome = (errors: string[]): Outcome => {
    return { itemId: text(128), barcode: text(64), displayPosition: 255, status: "ERROR", errors };
  };
  for (const [what, outcomes] of [
    ["none", []],
    ["the maximum number of a chunk's links", many(LINKS_PER_CHUNK, () => outcome([text(500)]))],
    ["the maximum number of row errors with a thousand links", many(20, () => outcome(many(1_000, () => text(150))))],
    ["a single error longer than a part", [outcome([text(8 * MIB)])]],
    ["any number of errors", [outcome(many(20_000, () => text(100)))]],
    ["the outcomes of an old chunk", many(20_000, () => outcome(["no"]))],
  ] as const) {
    const parts = splitOutcomes(outcomes);
    t.true(Math.max(...parts.map((part) => Buffer.byteLength(part))) <= BYTES_PER_PART + BYTES_PER_OUTCOME, what);
    t.is(
      parts.reduce((sum, part) => sum + (JSON.parse(part) as Outcome[]).length, 0),
      outcomes.length,
      what,
    );
  }
});
