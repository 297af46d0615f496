import test from "ava";
import { ItemPatch } from "../../../schemas/item.ts";
import { compileCheck } from "../../../schemas/validate.ts";
import { labelRowsFor } from "../../../scripts/operate/import/label-rows.ts";
import { patches, rows } from "./items.ts";

test("the sample has 200 products with unique IDs", (t) => {
  t.is(rows.length, 200);
  t.is(new Set(patches.map(({ itemId }) => itemId)).size, 200);
});

test("every product can be sent unchanged", (t) => {
  t.deepEqual(patches.flatMap(compileCheck(ItemPatch)), []);
});

test("every product has its own label", (t) => {
  t.is(
    new Set(
      labelRowsFor(
        patches.map(({ itemId }) => itemId),
        "1328",
      ).map(({ barcode }) => barcode),
    ).size,
    200,
  );
});

test("every product has a name, a numeric price, and the kind of its price", (t) => {
  for (const { itemName, price, properties } of patches) {
    t.truthy(itemName);
    t.regex(price ?? "", /^\d+(\.\d{1,2})?$/);
    t.regex(properties?.priceKind ?? "", /^(regular|special)$/);
  }
});

test("an offer shows the lowest price of the last 30 days, as EU law requires", (t) => {
  const offers = patches.filter(({ properties }) => properties?.priceKind === "special");
  t.true(offers.length > 20);
  t.true(offers.every(({ properties }) => /^\d+(\.\d{1,2})?$/.test(properties?.lowestPrice30 ?? "")));
});

test("an offer's price is the reduced one", (t) => {
  for (const [index, row] of rows.entries()) {
    t.is(patches[index]?.price, row.SpecialPrice === "" ? row.Price : row.SpecialPrice);
  }
});
