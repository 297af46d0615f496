import test from "ava";
import fc from "fast-check";
import { numberOf, stampOf } from "../../schemas/stamp.ts";

const number = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const row = fc.integer({ min: 0, max: 19_999 });

test("stamps are ordered by the request's number, then by the row", (t) => {
  fc.assert(
    fc.property(number, row, number, row, (firstNumber, firstRow, secondNumber, secondRow) => {
      const isEarlier = firstNumber < secondNumber || (firstNumber === secondNumber && firstRow < secondRow);
      t.is(stampOf(firstNumber, firstRow) < stampOf(secondNumber, secondRow), isEarlier);
    }),
  );
});

test("a stamp is an exact integer, from which the request's number can be read", (t) => {
  fc.assert(
    fc.property(number, row, (drawn, index) => {
      t.true(Number.isSafeInteger(stampOf(drawn, index)));
      t.is(numberOf(stampOf(drawn, index)), drawn);
    }),
  );
});
