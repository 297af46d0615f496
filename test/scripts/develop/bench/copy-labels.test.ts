import test from "ava";
import { storeKey } from "../../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../../../scripts/demo/catalogue.ts";
import { copyLabels, shownAt } from "../../../../scripts/develop/bench/growth/copy-labels.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownStack } from "../../../harness/own.ts";

const shelfwire = ownStack();
const store = storeKey(TENANT_ID, STORE_ID);
const [first, second, ...copies] = Array.from({ length: 12 }, (_, index) => shownAt(index, "1328"));
const originals = [first, second].filter((one) => one !== undefined);

const pricesOf = (shown: readonly { itemId: string }[], price: string) =>
  shown.map(({ itemId }) => ({ itemId, itemName: "Coffee", price }));
const untilReceived = (count: number) =>
  eventually("the labels have their pictures", async () => shelfwire.labelServer.labels.totals().received >= count);

test.serial("copied labels are as consistent as their originals: an audit finds no stale record", async (t) => {
  await shelfwire.client.patchItems(pricesOf(originals, "1.00"));
  await shelfwire.client.patchLabels(
    originals.map(({ itemId, barcode }) => ({ barcode, links: [{ itemId, displayPosition: 0 }] })),
  );
  await untilReceived(originals.length);
  await shelfwire.assertNothingStale();
  const counts = await copyLabels(shelfwire.system.db, store, originals, copies);
  t.is(counts["storeesl.v1"], copies.length);
  t.is(counts.labelstate, copies.length);
  t.is(counts["link.v2"], copies.length);
  t.is(counts["renderedimage.v1"], copies.length);
  await t.notThrowsAsync(shelfwire.assertNothingStale());
});

test.serial("the next price of a copied item reaches its own label", async (t) => {
  const all = [...originals, ...copies];
  await shelfwire.client.patchItems(pricesOf(all, "2.00"));
  await untilReceived(originals.length + all.length);
  for (const { barcode } of all) t.truthy(shelfwire.labelServer.labels.get(barcode)?.pages.get(0), barcode);
});
