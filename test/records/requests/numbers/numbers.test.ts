import test from "ava";
import fc from "fast-check";
import type { ChunkHead } from "../../../../records/requests/journal.ts";
import { requestState } from "../../../../records/requests/numbers.ts";

const DRAWN = new Date("2026-03-01T08:00:00Z");
const VALID_FOR = 3_000;

const chunk = (index: number, chunks: number, { open = true, after = 10 } = {}): ChunkHead => ({
  _id: `t/demo/s/main/requests/7/${index}`,
  store: "t/demo/s/main",
  number: 7,
  index,
  chunks,
  operation: "patch-items",
  ordered: false,
  urgency: "bulk",
  size: 1,
  firstRow: index,
  drawnAt: DRAWN,
  journaledAt: new Date(DRAWN.getTime() + after),
  validFor: VALID_FOR,
  generation: 0,
  open,
});
const TOO_LATE = { after: VALID_FOR + 1 };
const APPLIED = { open: false };

test("a number without a chunk is partial: its request may still be journaled", (t) => {
  t.is(requestState(undefined), "partial");
  t.is(requestState([]), "partial");
});

test("a request is partial until all of its chunks are in the journal, applied or not", (t) => {
  t.is(requestState([chunk(0, 2)]), "partial");
  t.is(requestState([chunk(0, 3, APPLIED), chunk(2, 3, APPLIED)]), "partial");
});

test("a request is open until every chunk is applied", (t) => {
  t.is(requestState([chunk(0, 1)]), "open");
  t.is(requestState([chunk(0, 2, APPLIED), chunk(1, 2)]), "open");
  t.is(requestState([chunk(0, 2, APPLIED), chunk(1, 2, APPLIED)]), "settled");
});

test("half a request must not take effect: one void chunk makes the whole request void", (t) => {
  t.is(requestState([chunk(0, 1, TOO_LATE)]), "void");
  t.is(requestState([chunk(0, 2), chunk(1, 2, TOO_LATE)]), "void");
  t.is(requestState([chunk(0, 2, APPLIED), chunk(1, 2, TOO_LATE)]), "void");
  t.is(requestState([chunk(0, 3, TOO_LATE), chunk(1, 3)]), "void");
});

test("the order in which chunks are read does not matter", (t) => {
  const parts = fc
    .array(fc.record({ open: fc.boolean(), after: fc.constantFrom(0, VALID_FOR, VALID_FOR + 1) }), { minLength: 1 })
    .map((list) => list.map((state, index) => chunk(index, list.length, state)));
  fc.assert(
    fc.property(
      parts.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([ordered, shuffled]) => {
        t.is(requestState(ordered), requestState(shuffled));
      },
    ),
  );
});
