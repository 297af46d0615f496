import test from "ava";
import { linkIdOf } from "../../../schemas/keys.ts";
import { catalogueEntry } from "../../../schemas/label-catalogue.ts";
import { bodyOf, readLabel, refused, writeItems, writeLabels, writeLinks } from "../../api/calls.ts";
import { operate } from "../../api/management/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

/** Labels of the catalogue that show their MAC as a code. */
const shelfwire = ownStack();
const MODEL = 'M2 2.9"';
const MAC = "0000021F3C5A3B12";
const OTHER = "0000021F3C5A";
const { type = 0, labelType } = catalogueEntry(MODEL) ?? {};

const put = async (path: string, body: unknown) => {
  const answer = await operate(shelfwire, "PUT", path, body);
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
};

test.before(async () => {
  await put("/api/platform/v1/tenants/demo", { name: "Demo", macBarcodes: true });
  await put(`/t/demo/api/management/v1/label-types/${type}`, labelType);
  await put(`/t/demo/api/management/v1/models/${encodeURIComponent(MODEL)}`, { labelTypes: [type], linkPositions: 1 });
  await writeItems(shelfwire, [
    { itemId: "apple", itemName: "Apple", price: "1.99" },
    { itemId: "pear", itemName: "Pear", price: "2.99" },
  ]);
});

test.serial("a label is created by its MAC and model, and shows the price in the design for its type", async (t) => {
  const [outcome] = await writeLabels(shelfwire, [{ barcode: MAC, modelName: MODEL, links: [{ itemId: "apple" }] }]);
  t.is(outcome?.status, "SUCCESS", outcome?.errors.join());
  t.truthy(await glassOf(shelfwire, MAC));
  t.like(await readLabel(shelfwire, MAC), { barcode: MAC, modelName: MODEL, plState: "OK" });
  const { fault } = await bodyOf<{ fault?: unknown }>(await shelfwire.call("GET", `/labels/${MAC}/explain`));
  t.falsy(fault);
});

test.serial("a label that is known by its MAC is linked again without its model", async (t) => {
  const before = await glassOf(shelfwire, MAC);
  const [outcome] = await writeLabels(shelfwire, [{ barcode: MAC, links: [{ itemId: "pear" }] }]);
  t.is(outcome?.status, "SUCCESS", outcome?.errors.join());
  await eventually("the other price is shown", async () => !(await glassOf(shelfwire, MAC)).equals(before));
  const designId = "special-296x128";
  const [forced] = await writeLinks(shelfwire, "PATCH", `/links/${linkIdOf(MAC, 0)}`, { forced_design_id: designId });
  t.is(forced?.status, "SUCCESS", forced?.errors.join());
  const [unfit] = await writeLinks(shelfwire, "PATCH", `/links/${linkIdOf(MAC, 0)}`, {
    forced_design_id: "special-800x480",
  });
  t.is(unfit?.status, "ERROR");
});

test.serial("an unknown MAC without a model is refused, and the error says what to send", async (t) => {
  const [outcome] = await writeLabels(shelfwire, [{ barcode: OTHER, links: [{ itemId: "apple" }] }]);
  t.is(outcome?.status, "UNKNOWN");
  t.deepEqual(outcome?.errors, [`"${OTHER}" contains no label type: send the name of a model that has a single one`]);
  const single = await shelfwire.call("POST", "/labels/link-single?timeout=0", { barcode: OTHER, itemId: "apple" });
  t.true((await refused(t, single, 409)).detail.includes("a model that has a single one"));
});

test.serial(
  "for a known MAC its label's models are listed, and for an unknown MAC all models with a single label type",
  async (t) => {
    const namesOf = async (barcode: string) => {
      const answer = await shelfwire.call("GET", `/labels/models/${barcode}`);
      return (await bodyOf<{ models: { name: string }[] }>(answer)).models.map(({ name }) => name);
    };
    t.deepEqual(await namesOf(MAC), [MODEL]);
    const ofNew = await namesOf(OTHER);
    t.true(ofNew.includes(MODEL));
    t.false(ofNew.includes("Small"), "the model has several label types");
  },
);

test.serial("`macBarcodes` cannot be removed while a label has a MAC as its barcode", async (t) => {
  const { detail } = await refused(
    t,
    await operate(shelfwire, "PUT", "/api/platform/v1/tenants/demo", { name: "Demo" }),
    409,
  );
  t.true(detail.includes(MAC), detail);
});
