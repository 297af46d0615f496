import test from "ava";
import fc from "fast-check";
import { barcodeScheme } from "../../../domain/linking/barcodes/barcode-scheme.ts";
import { readEnvironment } from "../../../schemas/environment.ts";
import { LabelPatch } from "../../../schemas/label.ts";
import { compileCheck } from "../../../schemas/validate.ts";
import { barcodeFor, labelRowsFor } from "../../../scripts/operate/import/label-rows.ts";

const typeOf = barcodeScheme({
  pattern: readEnvironment(["BARCODE_PATTERN"], [], {}).BARCODE_PATTERN,
  checkDigit: "ascii-sum",
});
const itemId = fc.string({ minLength: 1, maxLength: 128 });
const itemIds = fc.uniqueArray(itemId, { minLength: 1, maxLength: 50 });
const labelType = fc.integer({ min: 1000, max: 9999 }).map(String);

test("every barcode is valid in the scheme and names its label type", (t) => {
  fc.assert(fc.property(itemId, labelType, (id, type) => t.is(typeOf(barcodeFor(id, type)), Number(type))));
});

test("a label links its item at the first position, in the order of the list, and can be sent unchanged", (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[\w-]{1,128}$/), { minLength: 1 }), (ids) => {
      const rows = labelRowsFor(ids, "1328");
      t.deepEqual(
        rows.map(({ links }) => links),
        ids.map((id) => [{ itemId: id, displayPosition: 0 }]),
      );
      t.deepEqual(rows.flatMap(compileCheck(LabelPatch)), []);
    }),
  );
});

test("the same list again produces the same labels", (t) => {
  fc.assert(
    fc.property(itemIds, labelType, (ids, type) => t.deepEqual(labelRowsFor(ids, type), labelRowsFor(ids, type))),
  );
});

test("an item's label does not depend on the list's other items", (t) => {
  fc.assert(
    fc.property(itemIds, (ids) => {
      const alone = ids.flatMap((id) => labelRowsFor([id], "1328"));
      t.deepEqual(labelRowsFor(ids, "1328"), alone);
      t.deepEqual(labelRowsFor(ids.toReversed(), "1328"), alone.toReversed());
    }),
  );
});

test("100,000 items have 100,000 labels", (t) => {
  const ids = Array.from({ length: 100_000 }, (_, index) => String(90_000_000 + index));
  t.is(new Set(labelRowsFor(ids, "1328").map(({ barcode }) => barcode)).size, ids.length);
});

test("an item has a different label for each type", (t) => {
  t.not(barcodeFor("7", "1328"), barcodeFor("7", "1344"));
});

test("a list with two rows for one label is refused, and the error names both rows", (t) => {
  t.throws(() => labelRowsFor(["7", "8", "7"], "1328"), { message: /the items "7" and "7" would share the label/ });
});
