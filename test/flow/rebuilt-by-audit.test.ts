import test from "ava";
import type { RecordKind } from "../../records/kind.ts";
import { designerLinks, eccLinks, links, studioLinks } from "../../records/kinds/links.ts";
import { eslImages, renderedImages } from "../../records/kinds/pictures.ts";
import { linkIdOf } from "../../schemas/keys.ts";
import type { Link } from "../../schemas/link.ts";
import { addModel, deleteItem, writeItems, writeLabels, writeLinks } from "../api/calls.ts";
import { auditStore, nothingBehind } from "../harness/audits/audit.ts";
import { eventually } from "../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor, readLabel, transmissions } from "../harness/glass.ts";
import { openShelfwire, type Shelfwire } from "../harness/shelfwire.ts";

/** All derived records of a store are removed, and the audit makes them again from the other records. */
let shelfwire: Shelfwire;
const derived: readonly RecordKind<unknown>[] = [studioLinks, designerLinks, eccLinks, renderedImages, eslImages];

test.before(async () => {
  shelfwire = await openShelfwire();
  await addModel(shelfwire, { name: "Two", labelTypes: [1328], linkPositions: 2 });
});
test.after.always(() => shelfwire.close());

/** Reads every derived record without the fields that differ each time: revs, times and the cause of the write. */
async function readDerived(): Promise<Record<string, unknown>> {
  const { records } = shelfwire.system;
  const found: [string, unknown][] = [];
  for (const kind of derived) {
    for await (const page of records.scan(kind, `${DEMO_STORE}/`)) {
      for (const { _id, rev: _, writeId: __, changedAt: ___, inputs: ____, cause: _____, ...body } of page)
        found.push([`${kind.name} ${_id}`, withoutChoices(body)]);
    }
  }
  return Object.fromEntries(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Removes the revs that show which rule change caused a picture, since a repeated choice is caused by the current records. */
const withoutChoices = (body: object): unknown =>
  JSON.parse(JSON.stringify(body, (name, value) => (name === "choiceRev" || name === "otherRev" ? undefined : value)));

async function removeDerived(): Promise<void> {
  for (const kind of derived) await shelfwire.system.db.collection(kind.name).deleteMany({});
}

const untilNothingIsBehind = () =>
  eventually("nothing is behind", async () => Object.values(await auditStore(shelfwire)).every((stale) => stale === 0));

test("the audit by itself rebuilds every derived record, and sends no picture that is already shown", async (t) => {
  const named = (name: string) => labelFor(`rebuilt ${name}`);
  const item = (itemId: string, priceKind: string) => ({
    itemId,
    itemName: itemId,
    price: "1.99",
    properties: { priceKind },
  });
  await writeItems(shelfwire, [item("apple", "regular"), item("pear", "special"), item("gone", "regular")]);
  const plain = ["regular", "unlinked", "off", "forced", "designed", "ecc", "was ecc"];
  await writeLabels(shelfwire, [
    ...plain.map((name) => ({ barcode: named(name), links: [{ itemId: "apple" }] })),
    { barcode: named("special"), links: [{ itemId: "pear" }] },
    { barcode: named("gone"), links: [{ itemId: "gone" }] },
    { barcode: named("second position"), modelName: "Two", links: [{ itemId: "pear", displayPosition: 1 }] },
  ]);
  const shown = [...plain, "special", "gone", "second position"].map(named);
  for (const barcode of shown) await glassOf(shelfwire, barcode);

  const patch = (name: string, body: object) =>
    writeLinks(shelfwire, "PATCH", `/links/${linkIdOf(named(name), 0)}`, body);
  await writeLinks(shelfwire, "DELETE", `/labels/${named("unlinked")}/links`);
  await patch("off", { status: "INACTIVE" });
  await patch("forced", { forced_design_id: "no-price-296x128" });
  await patch("designed", { designerlink: { canvasId: "no-price-296x128", author: "Ana" } });
  await patch("ecc", { ecclink: { eccModelId: "m1", parameters: { size: "L" } } });
  await patch("was ecc", { ecclink: { eccModelId: "m1" } });
  await patch("was ecc", { studiolink: {} });
  await deleteItem(shelfwire, "gone");
  await eventually(
    "the ECC link waits for its model",
    async () => (await readLabel(shelfwire, named("ecc"))).plState === "ERROR",
  );
  for (const barcode of shown) if (barcode !== named("ecc")) await glassOf(shelfwire, barcode);
  t.deepEqual(await auditStore(shelfwire), nothingBehind);

  const before = await readDerived();
  const sent = transmissions(shelfwire);
  t.true(Object.keys(before).length >= 4 * shown.length);
  await removeDerived();
  t.deepEqual(await readDerived(), {});
  await untilNothingIsBehind();
  const after = await readDerived();
  t.deepEqual(await ofPresent(after), await ofPresent(before));
  for (const barcode of shown) if (barcode !== named("ecc")) await glassOf(shelfwire, barcode);
  t.is(transmissions(shelfwire), sent, "a picture that a label already shows is not sent");
});

/**
 * Returns the pictures, and the projections of ACTIVE links that still have the projection's kind. Two kinds of records are not
 * compared: the studio link of a link that shows nothing, which holds an earlier choice, and an ended ECC link, which equals a
 * missing one.
 */
async function ofPresent(found: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { records } = shelfwire.system;
  const present = new Map<string, Link>();
  for await (const page of records.scan(links, `${DEMO_STORE}/`)) for (const link of page) present.set(link._id, link);
  const isShown = ([key]: [string, unknown]) => {
    const [kind = "", id = ""] = key.split(" ");
    const link = present.get(id);
    if (link === undefined || kind === renderedImages.name) return true;
    if (kind === studioLinks.name) return link.status === "ACTIVE" && link.origin === "studio";
    return link.status === "ACTIVE" && (kind !== eccLinks.name || link.origin === "ecc");
  };
  return Object.fromEntries(Object.entries(found).filter(isShown));
}
