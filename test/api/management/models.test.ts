import test from "ava";
import { type CatalogueEntry, labelCatalogue } from "../../../schemas/label-catalogue.ts";
import { labelFor } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, pointersOf, refused, writeItems, writeLabels } from "../calls.ts";
import { operate } from "./calls.ts";

const shelfwire = servedStack({ workers: ["item", "link"] });
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  operate(shelfwire, method, `/t/demo/api/management/v1${path}`, body, headers);

const type = {
  width: 200,
  height: 100,
  dpi: 130,
  colors: ["white", "black"],
  display: "matrix",
  flash: true,
  pages: 3,
};

test.serial("a label type is created, changed with If-Match, listed and removed", async (t) => {
  const made = await call("PUT", "/label-types/4001", type, { "if-none-match": "*" });
  t.deepEqual(await bodyOf(made), { type: 4001, ...type });
  const tag = (await call("GET", "/label-types/4001")).headers.get("etag") ?? "";
  t.is((await call("PUT", "/label-types/4001", { ...type, pages: 2 }, { "if-match": tag })).status, 200);
  await refused(t, await call("PUT", "/label-types/4001", type, { "if-match": tag }), 412);
  const listed = await bodyOf<{ type: number; pages: number }[]>(await call("GET", "/label-types"));
  t.is(listed.find((one) => one.type === 4001)?.pages, 2);
  t.is((await call("DELETE", "/label-types/4001")).status, 204);
  await refused(t, await call("GET", "/label-types/4001"), 404);
  await refused(t, await call("DELETE", "/label-types/4001"), 404);
});

test.serial("an entry of the catalogue is added as it is listed", async (t) => {
  const listed = await bodyOf<CatalogueEntry[]>(await call("GET", "/label-type-catalogue"));
  t.deepEqual(listed, labelCatalogue);
  // No demo design has this label type's size, so the type can be removed again.
  const entry = listed.find(({ name }) => name === 'M3 2.9" BWRY');
  const made = await call("PUT", `/label-types/${entry?.type}`, entry?.labelType);
  t.deepEqual(await bodyOf(made), { type: entry?.type, ...entry?.labelType });
  t.is((await call("DELETE", `/label-types/${entry?.type}`)).status, 204);
});

const wrongTypes: [string, object, string[]][] = [
  ["no pages", { pages: 0 }, ["/pages"]],
  ["more pages than have names", { pages: 129 }, ["/pages"]],
  ["a duplicate colour", { colors: ["white", "white"] }, ["/colors"]],
  ["one colour", { colors: ["white"] }, ["/colors"]],
  ["a size above the largest picture", { width: 4097 }, ["/width"]],
  ["an unknown display", { display: "paper" }, ["/display"]],
  ["a hardware type in lowercase letters", { hardwareType: "4c" }, ["/hardwareType"]],
];
for (const [what, differs, pointers] of wrongTypes)
  test.serial(`a label type with ${what} is refused`, async (t) => {
    const answer = await call("PUT", "/label-types/4002", { ...type, ...differs });
    t.deepEqual(pointersOf(await refused(t, answer, 400)), pointers);
    await refused(t, await call("GET", "/label-types/4002"), 404);
  });

test.serial("the number of a label type has no leading zeros and no letters", async (t) => {
  for (const id of ["01328", "0", "x1", "1234567890"])
    t.deepEqual(pointersOf(await refused(t, await call("PUT", `/label-types/${id}`, type), 400)), ["/path/labelType"]);
});

test.serial("a label type that designs use keeps its size and cannot be removed", async (t) => {
  const present = await bodyOf<{ type: number }>(await call("GET", "/label-types/1344"));
  t.is((await call("PUT", "/label-types/1344", { ...present, pages: 4 })).status, 200);
  const { detail } = await refused(t, await call("PUT", "/label-types/1344", { ...present, width: 100 }), 409);
  t.regex(detail, /design ".*" is for the label type 1344 but has no layout of 100 x 128 pixels/);
  t.regex((await refused(t, await call("DELETE", "/label-types/1344"), 409)).detail, /design/);
});

test.serial("a label type cannot be removed before its models", async (t) => {
  t.is((await call("PUT", "/label-types/4003", type)).status, 200);
  t.is((await call("PUT", "/models/Only%204003", { labelTypes: [4003], linkPositions: 1 })).status, 200);
  t.regex((await refused(t, await call("DELETE", "/label-types/4003"), 409)).detail, /model "Only 4003"/);
  t.is((await call("DELETE", "/models/Only%204003")).status, 204);
  t.is((await call("DELETE", "/label-types/4003")).status, 204);
});

test.serial("a model is created, changed with If-Match and listed for stores", async (t) => {
  const pair = { labelTypes: [1328], linkPositions: 2 };
  t.deepEqual(await bodyOf(await call("PUT", "/models/Pair", pair)), { name: "Pair", ...pair });
  const tag = (await call("GET", "/models/Pair")).headers.get("etag") ?? "";
  t.is((await call("PUT", "/models/Pair", { ...pair, linkPositions: 1 }, { "if-match": tag })).status, 200);
  await refused(t, await call("PUT", "/models/Pair", pair, { "if-match": tag }), 412);
  const { models } = await bodyOf<{ models: { name: string }[] }>(await shelfwire.call("GET", "/labels/models/1328"));
  t.true(models.some(({ name }) => name === "Pair"));
});

test.serial("a model with no label type, an unknown label type or no position is refused", async (t) => {
  const put = async (model: object) => pointersOf(await refused(t, await call("PUT", "/models/Wrong", model), 400));
  t.deepEqual(await put({ labelTypes: [1328, 9], linkPositions: 1 }), ["/labelTypes/1"]);
  t.deepEqual(await put({ labelTypes: [], linkPositions: 1 }), ["/labelTypes"]);
  t.deepEqual(await put({ labelTypes: [1328], linkPositions: 0 }), ["/linkPositions"]);
  t.deepEqual(await put({ labelTypes: [1328], linkPositions: 33 }), ["/linkPositions"]);
});

test.serial(
  "a model in use can gain positions and label types, but not lose any; neither it nor its store can be removed",
  async (t) => {
    t.is((await call("PUT", "/models/Used", { labelTypes: [1628], linkPositions: 2 })).status, 200);
    const barcode = labelFor("used", "1628");
    await writeItems(shelfwire, [{ itemId: "used", itemName: "Used" }]);
    await writeLabels(shelfwire, [{ barcode, modelName: "Used", links: [{ itemId: "used", displayPosition: 1 }] }]);
    t.is((await call("PUT", "/models/Used", { labelTypes: [1628, 1627], linkPositions: 3 })).status, 200);
    for (const narrower of [
      { labelTypes: [1628, 1627], linkPositions: 1 },
      { labelTypes: [1627], linkPositions: 3 },
    ])
      t.true((await refused(t, await call("PUT", "/models/Used", narrower), 409)).detail.includes(barcode));
    t.true((await refused(t, await call("DELETE", "/models/Used"), 409)).detail.includes(barcode));
    t.is((await call("PUT", "/models/Used", { labelTypes: [1628], linkPositions: 3 })).status, 200);
    t.true((await refused(t, await call("DELETE", "/stores/main"), 409)).detail.includes(barcode));
  },
);

test.serial("a tenant's token can read models and label types, but not change them", async (t) => {
  const authorization = `Bearer ${await shelfwire.token()}`;
  const own = (method: string, path: string) =>
    fetch(`${shelfwire.origin}/t/demo/api/management/v1${path}`, { method, headers: { authorization } });
  t.is((await own("GET", "/label-types/1328")).status, 200);
  t.is((await own("GET", "/models/Medium")).status, 200);
  await refused(t, await own("DELETE", "/models/Medium"), 403);
});
