import test from "ava";
import { forgetAssignments } from "../../queues/clean-up/sic-assignments.ts";
import { forgetTombstones } from "../../queues/clean-up/tombstones.ts";
import type { RecordKind } from "../../records/kind.ts";
import { itemLinks, items, sics } from "../../records/kinds/items.ts";
import { itemKey, sicKey } from "../../schemas/keys.ts";
import { deleteItem, writeItems, writeLabels, writeLinks } from "../api/calls.ts";
import { auditStore, nothingBehind } from "../harness/audits/audit.ts";
import { eventually } from "../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";

const shelfwire = ownStack();

const TOMORROW = new Date(Date.now() + 86_400_000);
const slice = { renew: async () => true, goOn: async () => true };
const [unlinked, moved, waiting] = [labelFor("unlinked"), labelFor("moved"), labelFor("waiting")];
const itemOf = (itemId: string) => ({ itemId, itemName: `The ${itemId}`, price: "1.99", sics: [`code-of-${itemId}`] });

const isThere = async (kind: RecordKind<never>, key: string) =>
  (await shelfwire.system.records.readRevs(kind as RecordKind<unknown>, [key])).has(key);

test.serial("traces of a deleted item are removed later, and an audit finds nothing before or after", async (t) => {
  await writeItems(shelfwire, ["fig", "date", "plum", "kiwi"].map(itemOf));
  await writeLabels(shelfwire, [
    { barcode: unlinked, links: [{ itemId: "fig" }] },
    { barcode: moved, links: [{ itemId: "date" }] },
    { barcode: waiting, links: [{ itemId: "plum" }] },
  ]);
  const shown = await glassOf(shelfwire, unlinked);
  for (const barcode of [moved, waiting]) await glassOf(shelfwire, barcode);
  await writeLinks(shelfwire, "DELETE", `/labels/${unlinked}/links`);
  await writeLabels(shelfwire, [{ barcode: moved, links: [{ itemId: "kiwi" }] }]);
  for (const itemId of ["fig", "date", "plum"]) await deleteItem(shelfwire, itemId);
  await eventually("the label is empty", async () => !(await glassOf(shelfwire, unlinked)).equals(shown));
  await shelfwire.call("DELETE", "/items/kiwi/sics/code-of-kiwi");
  await shelfwire.assertNothingStale();
  t.deepEqual(await auditStore(shelfwire), nothingBehind);

  t.is(await forgetTombstones(shelfwire.system, TOMORROW, slice), 2);
  await forgetAssignments(shelfwire.system, TOMORROW, slice);
  for (const kind of [items, itemLinks] as RecordKind<never>[]) {
    for (const itemId of ["fig", "date"]) t.false(await isThere(kind, itemKey(DEMO_STORE, itemId)), itemId);
    t.true(await isThere(kind, itemKey(DEMO_STORE, "plum")), "a label waits for the item");
  }
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});

test.serial("an item whose deletion left no trace is created again, linked and shown", async (t) => {
  await writeItems(shelfwire, [{ ...itemOf("fig"), price: "2.49" }]);
  await writeLabels(shelfwire, [{ barcode: unlinked, links: [{ itemId: "code-of-fig" }] }]);
  const png = await glassOf(shelfwire, unlinked);
  await writeItems(shelfwire, [{ itemId: "fig", price: "2.99" }]);
  await eventually("the next price is shown", async () => !(await glassOf(shelfwire, unlinked)).equals(png));
  t.true(await isThere(sics as RecordKind<never>, sicKey(DEMO_STORE, "code-of-fig")));
});
