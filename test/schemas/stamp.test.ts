import test from "ava";
import fc from "fast-check";
import { numberOf, stampOf } from "../../schemas/stamp.ts";

const number = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const row = fc.integer({ min: 0, max: 19_999 });

test("a stamp sorts like the pair of its request's number and its row", (t) => {
  fc.assert(
    fc.property(number, row, number, row, (oneNumber, oneRow, otherNumber, otherRow) => {
      const isEarlier = oneNumber < otherNumber || (oneNumber === otherNumber && oneRow < otherRow);
      t.is(stampOf(oneNumber, oneRow) < stampOf(otherNumber, otherRow), isEarlier);
    }),
  );
});

test("a stamp is an exact integer and gives its number back", (t) => {
  fc.assert(
    fc.property(number, row, (one, index) => {
      t.true(Number.isSafeInteger(stampOf(one, index)));
      t.is(numberOf(stampOf(one, index)), one);
    }),
  );
});
