import test from "ava";
import { linkIdOf } from "../../../schemas/keys.ts";
import { readLabel, writeItems, writeLabels, writeLinks } from "../../api/calls.ts";
import { auditStore, nothingBehind } from "../../harness/audits/audit.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

/** Studio links that are removed before the evaluator has read them. */
const shelfwire = ownStack({ workers: ["item", "link", "renderer", "merger", "transmitter"] });
let evaluator: { close(): Promise<void> };
test.before(async () => {
  evaluator = await shelfwire.openWorker("evaluator");
  await writeItems(shelfwire, [{ itemId: "apple", itemName: "Apple", price: "1.99" }]);
});

const glassChanges = (barcode: string, from: Buffer) =>
  eventually(`${barcode} shows something else`, async () => {
    const png = await glassOf(shelfwire, barcode);
    return !png.equals(from) && png;
  });

const ends: [what: string, end: (barcode: string) => Promise<unknown>][] = [
  ["unlinked", (barcode) => writeLinks(shelfwire, "DELETE", `/labels/${barcode}/links`)],
  [
    "switched off",
    (barcode) => writeLinks(shelfwire, "PATCH", `/links/${linkIdOf(barcode, 0)}`, { status: "INACTIVE" }),
  ],
];
for (const [what, end] of ends) {
  test.serial(
    `a link that becomes a studio link and is ${what} before its evaluation shows the background`,
    async (t) => {
      const [barcode, other] = [labelFor(`early ${what}`), labelFor(`late ${what}`)];
      for (const one of [barcode, other])
        await writeLinks(shelfwire, "POST", "/links", { barcode: one, itemId: "apple", designId: "no-price-296x128" });
      const designed = await glassOf(shelfwire, barcode);
      await end(other);
      const background = await glassChanges(other, designed);

      await evaluator.close();
      await writeLinks(shelfwire, "PATCH", `/links/${linkIdOf(barcode, 0)}`, { studiolink: {} });
      await end(barcode);
      t.deepEqual(await glassChanges(barcode, designed), background);
      evaluator = await shelfwire.openWorker("evaluator");
      t.deepEqual(await auditStore(shelfwire), nothingBehind);
      t.deepEqual((await readLabel(shelfwire, barcode)).links, []);

      await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
      await glassChanges(barcode, background);
    },
  );
}
