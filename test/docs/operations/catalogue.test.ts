import test from "ava";
import { labelCatalogue } from "../../../schemas/label-catalogue.ts";
import { storedCataloguePage, writeCataloguePage } from "../../../scripts/develop/documents/catalogue-page.ts";

test("the table in docs/operations/catalogue.md matches the catalogue (npm run catalogue)", async (t) => {
  const stored = await storedCataloguePage();
  t.is(stored, writeCataloguePage(stored));
});

test("the page states the number of labels", async (t) => {
  t.true((await storedCataloguePage()).includes(`Shelfwire knows ${labelCatalogue.length} kinds of labels`));
});
