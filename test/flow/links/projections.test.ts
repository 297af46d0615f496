import test from "ava";
import { designerLinks, eccLinks, links } from "../../../records/kinds/links.ts";
import { linkIdOf, linkKey } from "../../../schemas/keys.ts";
import type { Change } from "../../../schemas/topics.ts";
import { deleteItem, writeItems, writeLabels, writeLinks } from "../../api/calls.ts";
import { auditStore, nothingBehind } from "../../harness/audits/audit.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

/** Every change to a link reaches its projections with the rev that the change wrote, even if the design stays the same. */
const shelfwire = ownStack();
test.before(async () => {
  await writeItems(shelfwire, [
    { itemId: "apple", itemName: "Apple", price: "1.99" },
    { itemId: "pear", itemName: "Pear", price: "2.99" },
  ]);
});

type Projected = { linkRev: number; itemId: string; status: string; facings?: string; location?: string };
const kinds = { studio: designerLinks, ecc: eccLinks } as const;
type Origin = keyof typeof kinds;

const readBoth = async (origin: Origin, key: string) => {
  const { records } = shelfwire.system;
  const [link, projection] = await Promise.all([
    records.read(links, [key]),
    records.read<Projected>(kinds[origin], [key]),
  ]);
  return { link: link.get(key), projection: projection.get(key) };
};

/** Waits until a link has these fields and its projection was made from the same rev; returns the projection. */
const projected = (origin: Origin, key: string, fields: Partial<Projected>) =>
  eventually(`${origin} projection of ${JSON.stringify(fields)}`, async () => {
    const { link, projection } = await readBoth(origin, key);
    const isRight = (one: Partial<Projected> | undefined) =>
      one !== undefined && Object.entries(fields).every(([field, value]) => one[field as keyof Projected] === value);
    return isRight(link) && isRight(projection) && projection?.linkRev === link?.rev && projection;
  });

for (const origin of ["studio", "ecc"] as const) {
  test.serial(
    `${origin}: changes to item, facings, location and status, an unlink and a new link reach the projection`,
    async (t) => {
      const barcode = labelFor(`projected ${origin}`);
      const linkId = linkIdOf(barcode, 0);
      const key = linkKey(DEMO_STORE, linkId);
      const ecclink = { eccModelId: "m1", parameters: { size: "L" } };
      const make = () =>
        writeLinks(shelfwire, "POST", "/links", { barcode, itemId: "apple", ...(origin === "ecc" && { ecclink }) });
      const patch = (body: object) => writeLinks(shelfwire, "PATCH", `/links/${linkId}`, body);
      const steps: [fields: Partial<Projected>, step: () => Promise<unknown>][] = [
        [{ status: "ACTIVE", itemId: "apple" }, make],
        [{ itemId: "pear" }, () => patch({ itemId: "pear" })],
        [{ itemId: "pear", facings: "3" }, () => patch({ facings: "3" })],
        [{ location: "aisle 7" }, () => writeLabels(shelfwire, [{ barcode, plLocation: "aisle 7" }])],
        [{ status: "INACTIVE" }, () => patch({ status: "INACTIVE" })],
        [{ status: "ACTIVE" }, () => patch({ status: "ACTIVE" })],
        [{ status: "INACTIVE" }, () => deleteItem(shelfwire, "pear")],
        [{ status: "ACTIVE" }, () => writeItems(shelfwire, [{ itemId: "pear", itemName: "Pear", price: "2.99" }])],
        [{ status: "DELETED" }, () => writeLinks(shelfwire, "DELETE", `/links/${linkId}`)],
        [{ status: "ACTIVE", itemId: "apple" }, make],
      ];
      let last = { linkRev: 0, rev: 0 };
      for (const [fields, step] of steps) {
        await step();
        const projection = await projected(origin, key, fields);
        t.true(projection.linkRev > last.linkRev, "projections are written in order");
        t.true(projection.rev > last.rev);
        last = projection;
      }
      t.like(
        await projected(origin, key, {}),
        origin === "ecc" ? { eccModelId: "m1" } : { derivedFrom: "studiolink.v1" },
      );

      // Changes that are delivered again, once with an old rev and twice with the current one, write nothing.
      const change = (rev: number): Change => ({ key, rev, operation: "UPDATED", changed: [], urgency: "bulk" });
      const again = [change(1), change(last.linkRev), change(last.linkRev)];
      for (const one of again) await shelfwire.system.publisher.publish("link.v2", [one]);
      const queue = shelfwire.system.publisher.queue("link");
      const waits = () => queue.getJobCountByTypes("active", "waiting", "prioritized", "delayed");
      await eventually("all changes are handled", async () => (await waits()) === 0);
      t.is((await readBoth(origin, key)).projection?.rev, last.rev);
    },
  );
}

test.serial("an ECC link that a label's row relinks becomes a studio link, and its ECC projection ends", async (t) => {
  const barcode = labelFor("projected ecc");
  const key = linkKey(DEMO_STORE, linkIdOf(barcode, 0));
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "pear" }] }]);
  await eventually("the ECC projection has ended", async () => {
    const { projection } = await readBoth("ecc", key);
    return projection?.status === "DELETED";
  });
  await projected("studio", key, { status: "ACTIVE", itemId: "pear" });
  await glassOf(shelfwire, barcode);
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});
