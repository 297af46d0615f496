import test from "ava";
import { designKey, linkIdOf, tenantKey } from "../../schemas/keys.ts";
import type { LinkRecord } from "../../schemas/link-record.ts";
import type { Outcome } from "../../schemas/request.ts";
import { STORE_ID, TENANT_ID } from "../../scripts/demo/catalogue.ts";
import { eventually } from "../harness/eventually.ts";
import { labelFor, labelOutcomes } from "../harness/glass.ts";
import { openShelfwire, type Shelfwire } from "../harness/shelfwire.ts";
import {
  addModel,
  bodyOf,
  deleteItem,
  pointersOf,
  readLabel,
  refused,
  writeItems,
  writeLabels,
  writeLinks,
} from "./calls.ts";

const design = (id: string) => designKey(tenantKey(TENANT_ID), id);
const FITS = "regular-296x128";
const TOO_LARGE = "regular-800x480";

let shelfwire: Shelfwire;
test.before(async () => {
  shelfwire = await openShelfwire({ workers: ["item", "link", "evaluator"] });
  await addModel(shelfwire, { name: "Three", labelTypes: [1328], linkPositions: 3 });
  await writeItems(shelfwire, [
    { itemId: "apple", price: "1.99", sics: ["4001"] },
    { itemId: "pear", price: "2.99" },
  ]);
});
test.after.always(() => shelfwire.close());

const post = async (body: object): Promise<{ linkId: string; outcome: Outcome | undefined }> => {
  const answer = await shelfwire.call("POST", "/links", body);
  if (answer.status !== 202) throw new Error(await answer.text());
  const { requestId, linkId } = (await answer.json()) as { requestId: number; linkId: string };
  return { linkId, outcome: (await labelOutcomes(shelfwire, requestId))[0] };
};
const patch = async (linkId: string, body: object) =>
  (await writeLinks(shelfwire, "PATCH", `/links/${linkId}`, body))[0];
const remove = async (linkId: string) => (await writeLinks(shelfwire, "DELETE", `/links/${linkId}`))[0];
const read = async (linkId: string) => bodyOf<LinkRecord>(await shelfwire.call("GET", `/links/${linkId}`));
const list = async (path: string) => bodyOf<LinkRecord[]>(await shelfwire.call("GET", path));

test.serial("POST /links links an item to a label's position; the link's id is in the receipt", async (t) => {
  const barcode = labelFor("posted");
  const { linkId, outcome } = await post({ barcode, itemId: "apple", facings: "2" });
  t.is(linkId, linkIdOf(barcode, 0));
  t.deepEqual(outcome, { barcode, itemId: "apple", displayPosition: 0, status: "SUCCESS", errors: [] });
  const evaluated = await eventually("it is evaluated", async () => {
    const link = await read(linkId);
    return link.designId !== null && link;
  });
  t.deepEqual(evaluated, {
    linkId,
    eslId: barcode,
    displayPosition: 0,
    itemId: "apple",
    linkedItemId: "apple",
    facings: "2",
    designId: design(FITS),
    forced_design_id: null,
    tenantId: TENANT_ID,
    storeId: STORE_ID,
    status: "ACTIVE",
    studiolink: {
      scenarioId: "regular",
      conditions: ["true"],
      priority: null,
      validityPeriod: null,
      design_id: design(FITS),
    },
  });
  t.is((await readLabel(shelfwire, barcode)).links[0]?.itemId, "apple");
});

test.serial("eslId is the barcode under another name, linkedItemId a SIC that wins over itemId", async (t) => {
  const eslId = labelFor("by eslId");
  const { linkId, outcome } = await post({ eslId, itemId: "pear", linkedItemId: "4001", displayPosition: 0 });
  t.is(outcome?.status, "SUCCESS");
  t.like(await read(linkId), { eslId, itemId: "apple", linkedItemId: "4001" });
});

const badCreations: [what: string, body: object, pointers: string[]][] = [
  ["neither itemId nor linkedItemId", { barcode: "A" }, [""]],
  ["neither barcode nor eslId", { itemId: "apple" }, [""]],
  ["barcode and eslId of two labels", { barcode: "A", eslId: "B", itemId: "apple" }, ["/eslId"]],
  [
    "two kinds of metadata",
    { barcode: "A", itemId: "apple", ecclink: { eccModelId: "m" }, studiolink: {} },
    ["/studiolink"],
  ],
  [
    "designs of another tenant",
    { barcode: "A", itemId: "apple", designId: "t/x/designs/a", forced_design_id: "t/x/designs/b" },
    ["/designId", "/forced_design_id"],
  ],
  ["a position beyond 255", { barcode: "A", itemId: "apple", displayPosition: 256 }, ["/displayPosition"]],
  ["facings that are no number", { barcode: "A", itemId: "apple", facings: "many" }, ["/facings"]],
  [
    "designer metadata of the wrong types",
    { barcode: "A", itemId: "apple", designerlink: { designVersion: "2", creationTimestamp: "yesterday" } },
    ["/designerlink/canvasId", "/designerlink/creationTimestamp", "/designerlink/designVersion"],
  ],
  [
    "ECC parameters that are no texts",
    { barcode: "A", itemId: "apple", ecclink: { eccModelId: "m", parameters: { size: 1 } } },
    ["/ecclink/parameters/size"],
  ],
];
for (const [what, body, pointers] of badCreations) {
  test(`POST /links: ${what} is 400`, async (t) => {
    t.deepEqual(pointersOf(await refused(t, await shelfwire.call("POST", "/links", body), 400)), pointers);
  });
}

test.serial("POST /links has the row statuses of PATCH /labels", async (t) => {
  const segments = labelFor("wide", "1328");
  const rows: [body: object, status: string][] = [
    [{ barcode: "no barcode", itemId: "apple" }, "UNKNOWN"],
    [{ barcode: labelFor("no type", "9999"), itemId: "apple" }, "UNKNOWN"],
    [{ barcode: segments, itemId: "nothing" }, "ITEM_NOT_FOUND"],
    [{ barcode: segments, itemId: "apple", displayPosition: 1 }, "ERROR"],
  ];
  for (const [body, status] of rows) {
    const { outcome } = await post(body);
    t.is(outcome?.status, status as "ERROR");
    t.is(outcome?.errors.length, 1);
  }
});

test.serial(
  "a design that is unknown or does not fit the label is a row ERROR that names it and the type",
  async (t) => {
    const barcode = labelFor("fitting");
    for (const field of ["forced_design_id", "designId"]) {
      for (const id of [TOO_LARGE, "gone"]) {
        const { outcome } = await post({ barcode, itemId: "apple", [field]: id });
        t.is(outcome?.status, "ERROR");
        t.regex(outcome?.errors[0] ?? "", new RegExp(`"${design(id)}".*1328`));
      }
    }
  },
);

test.serial("a forced design is stored by its full key, and cleared by null", async (t) => {
  for (const id of [FITS, design(FITS)]) {
    const { linkId } = await post({ barcode: labelFor("forced"), itemId: "apple", forced_design_id: id });
    t.like(await read(linkId), { forced_design_id: design(FITS), designId: design(FITS) });
    t.is((await patch(linkId, { forced_design_id: null }))?.status, "SUCCESS");
    t.is((await read(linkId)).forced_design_id, null);
    t.is((await patch(linkId, { forced_design_id: id }))?.status, "SUCCESS");
    t.is((await read(linkId)).forced_design_id, design(FITS));
  }
});

test.serial("PATCH of a forced design that does not fit is a row ERROR and changes nothing else either", async (t) => {
  const { linkId } = await post({ barcode: labelFor("not forced"), itemId: "apple", facings: "1" });
  const outcome = await patch(linkId, { forced_design_id: TOO_LARGE, facings: "2" });
  t.is(outcome?.status, "ERROR");
  t.regex(outcome?.errors[0] ?? "", new RegExp(`"${design(TOO_LARGE)}".*1328`));
  t.like(await read(linkId), { forced_design_id: null, facings: "1" });
  const other = { forced_design_id: `t/other/designs/${FITS}` };
  t.deepEqual(pointersOf(await refused(t, await shelfwire.call("PATCH", `/links/${linkId}`, other), 400)), [
    "/forced_design_id",
  ]);
});

test.serial(
  "an occupied position is relinked: the link is what the call says, and nothing of the old one",
  async (t) => {
    const barcode = labelFor("relinked");
    const { linkId } = await post({ barcode, itemId: "apple", facings: "3", forced_design_id: FITS });
    await post({ barcode, itemId: "pear" });
    t.like(await read(linkId), { itemId: "pear", facings: null, forced_design_id: null, status: "ACTIVE" });
    t.deepEqual(
      (await list(`/labels/${barcode}/links`)).map(({ itemId }) => itemId),
      ["pear"],
    );
    t.false((await list("/items/apple/links")).some((link) => link.linkId === linkId));
  },
);

const metadata = {
  designerlink: { canvasId: FITS, designVersion: 2, creationTimestamp: "2026-01-02T03:04:05Z", author: "Ana" },
  ecclink: { eccModelId: "m1", parameters: { "unit.price": "1", $set: "2" }, renderingHints: { constructor: "3" } },
};

test.serial("a designer link keeps its design and its metadata", async (t) => {
  const barcode = labelFor("designed");
  const { linkId } = await post({ barcode, itemId: "apple", designId: FITS, designerlink: metadata.designerlink });
  const link = await read(linkId);
  t.deepEqual(link.designerlink, metadata.designerlink);
  t.like(link, { designId: design(FITS), forced_design_id: null, studiolink: undefined, ecclink: undefined });
});

test.serial("a designer link that names no design has the one of its canvas that fits", async (t) => {
  const { linkId, outcome } = await post({
    barcode: labelFor("canvas"),
    itemId: "apple",
    designerlink: { canvasId: FITS },
  });
  t.is(outcome?.status, "SUCCESS");
  const link = await read(linkId);
  t.is(link.designId, design(FITS));
  t.deepEqual(link.designerlink, { canvasId: FITS, designVersion: null, creationTimestamp: null, author: null });
  const { outcome: refusedRow } = await post({
    barcode: labelFor("canvas"),
    itemId: "apple",
    designerlink: { canvasId: TOO_LARGE },
  });
  t.is(refusedRow?.status, "ERROR");
});

test.serial("a design without metadata makes a designer link without metadata", async (t) => {
  const { linkId } = await post({ barcode: labelFor("plain design"), itemId: "apple", designId: FITS });
  t.like(await read(linkId), { designId: design(FITS), designerlink: undefined, studiolink: undefined });
});

test.serial("an ECC link keeps its model and maps of any keys; its designId is the model", async (t) => {
  const { linkId } = await post({ barcode: labelFor("modelled"), itemId: "apple", ecclink: metadata.ecclink });
  const link = await read(linkId);
  t.deepEqual(link.ecclink, metadata.ecclink);
  t.like(link, { designId: "m1", designerlink: undefined, studiolink: undefined });
});

test.serial("a studio link keeps the priority and validity that it was given; the rules choose the rest", async (t) => {
  const studiolink = { scenarioId: "mine", conditions: ["false"], priority: 7, validityPeriod: { from: "2026-01-01" } };
  const { linkId } = await post({ barcode: labelFor("studio"), itemId: "apple", designId: "ignored", studiolink });
  const link = await eventually("it is evaluated", async () => {
    const present = await read(linkId);
    return present.designId !== null && present;
  });
  t.deepEqual(link.studiolink, {
    scenarioId: "regular",
    conditions: ["true"],
    priority: 7,
    validityPeriod: { from: "2026-01-01" },
    design_id: design(FITS),
  });
});

test.serial("setting one kind of metadata removes the other", async (t) => {
  const { linkId } = await post({ barcode: labelFor("changing"), itemId: "apple" });
  const kinds = async () => {
    const { designerlink, ecclink, studiolink } = await read(linkId);
    return Object.entries({ designerlink, ecclink, studiolink }).flatMap(([kind, value]) => (value ? [kind] : []));
  };
  t.deepEqual(await kinds(), ["studiolink"]);
  await patch(linkId, { designerlink: metadata.designerlink });
  t.deepEqual(await kinds(), ["designerlink"]);
  await patch(linkId, { ecclink: metadata.ecclink });
  t.deepEqual(await kinds(), ["ecclink"]);
  t.is((await read(linkId)).designId, "m1");
  await patch(linkId, { studiolink: {} });
  t.deepEqual(await kinds(), ["studiolink"]);
  await refused(t, await shelfwire.call("PATCH", `/links/${linkId}`, { ...metadata }), 400);
});

test.serial(
  "a label's row with the same item leaves a designer link alone; with another it is a studio link",
  async (t) => {
    const barcode = labelFor("confirmed");
    const { linkId } = await post({ barcode, itemId: "apple", designId: FITS, designerlink: metadata.designerlink });
    await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
    t.truthy((await read(linkId)).designerlink);
    await shelfwire.call("POST", "/labels/link-single?timeout=0", { barcode, itemId: "pear" });
    t.like(await read(linkId), { itemId: "pear", designerlink: undefined });
    t.truthy((await read(linkId)).studiolink);
  },
);

test.serial("a body that was read can be sent back: it changes nothing", async (t) => {
  for (const body of [
    {},
    { designId: FITS },
    { designId: FITS, ...{ designerlink: metadata.designerlink } },
    { ecclink: metadata.ecclink },
  ]) {
    const barcode = labelFor(`sent back ${JSON.stringify(body)}`);
    const { linkId } = await post({
      barcode,
      itemId: "apple",
      linkedItemId: "4001",
      facings: "2",
      forced_design_id: FITS,
      ...body,
    });
    await eventually("it is evaluated", async () => (await read(linkId)).designId !== null);
    const before = await read(linkId);
    t.is((await patch(linkId, before))?.status, "SUCCESS");
    t.deepEqual(await read(linkId), before);
    const { outcome } = await post(before);
    t.is(outcome?.status, "SUCCESS");
    t.deepEqual(await read(linkId), before);
  }
});

test.serial("PATCH changes what it names: facings, then the item by a code", async (t) => {
  const barcode = labelFor("patched");
  const { linkId } = await post({ barcode, itemId: "pear", facings: "1" });
  t.deepEqual(await patch(linkId, { facings: "5" }), {
    barcode,
    itemId: "pear",
    displayPosition: 0,
    status: "SUCCESS",
    errors: [],
  });
  t.like(await read(linkId), { itemId: "pear", facings: "5" });
  t.is((await patch(linkId, { linkedItemId: "4001" }))?.itemId, "apple");
  t.like(await read(linkId), { itemId: "apple", linkedItemId: "4001", facings: null });
  t.true((await list("/items/apple/links")).some((link) => link.linkId === linkId));
  t.false((await list("/items/pear/links")).some((link) => link.linkId === linkId));
  t.is((await patch(linkId, { itemId: "nothing" }))?.status, "ITEM_NOT_FOUND");
  t.is((await read(linkId)).itemId, "apple");
});

test.serial("a PATCH of nothing is SUCCESS", async (t) => {
  const { linkId } = await post({ barcode: labelFor("left"), itemId: "apple" });
  t.is((await patch(linkId, {}))?.status, "SUCCESS");
});

test.serial("PATCH and DELETE of an unknown link are rows, not 404", async (t) => {
  const known = labelFor("known");
  await writeLabels(shelfwire, [{ barcode: known }]);
  for (const linkId of [linkIdOf(labelFor("nobody"), 0), "nonsense", "item:apple"])
    t.like(await patch(linkId, { facings: "1" }), { status: "UNKNOWN" });
  t.is((await patch(linkIdOf(known, 0), { facings: "1" }))?.status, "UNKNOWN");
  t.is((await remove(linkIdOf(known, 0)))?.status, "SUCCESS");
});

test.serial("a status other than ACTIVE and INACTIVE is 400", async (t) => {
  const bad = await shelfwire.call("PATCH", "/links/any-0", { status: "DELETED" });
  t.deepEqual(pointersOf(await refused(t, bad, 400)), ["/status"]);
});

test.serial("a deleted link is given as DELETED, is in no list, and is made anew by POST only", async (t) => {
  const barcode = labelFor("removed");
  const { linkId } = await post({ barcode, itemId: "apple" });
  t.deepEqual(await remove(linkId), { barcode, itemId: "apple", displayPosition: 0, status: "SUCCESS", errors: [] });
  t.like(await read(linkId), { status: "DELETED", itemId: "apple" });
  t.deepEqual(await list(`/labels/${barcode}/links`), []);
  t.false((await list("/items/apple/links")).some((link) => link.linkId === linkId));
  t.is((await patch(linkId, { status: "ACTIVE" }))?.status, "UNKNOWN");
  t.is((await read(linkId)).status, "DELETED");
  await post({ barcode, itemId: "apple" });
  t.is((await read(linkId)).status, "ACTIVE");
});

test.serial(
  "a link that is switched off stays INACTIVE though its item is made again, until it is switched on",
  async (t) => {
    await writeItems(shelfwire, [{ itemId: "quince" }]);
    const [off, on] = [labelFor("switched off"), labelFor("left on")];
    const { linkId } = await post({ barcode: off, itemId: "quince" });
    const { linkId: witness } = await post({ barcode: on, itemId: "quince" });
    const statusOf = async (id: string) => (await read(id)).status;
    t.is((await patch(linkId, { status: "INACTIVE" }))?.status, "SUCCESS");
    t.is(await statusOf(linkId), "INACTIVE");
    t.deepEqual((await readLabel(shelfwire, off)).links, []);
    t.deepEqual(
      (await list(`/labels/${off}/links`)).map(({ status }) => status),
      ["INACTIVE"],
    );
    await deleteItem(shelfwire, "quince");
    await eventually("the other is INACTIVE", async () => (await statusOf(witness)) === "INACTIVE");
    await writeItems(shelfwire, [{ itemId: "quince" }]);
    await eventually("the other is back", async () => (await statusOf(witness)) === "ACTIVE");
    t.is(await statusOf(linkId), "INACTIVE");
    await patch(linkId, { status: "ACTIVE" });
    t.is(await statusOf(linkId), "ACTIVE");
  },
);

test.serial("a link that is switched off is on again once the position is relinked", async (t) => {
  const barcode = labelFor("relinked and on");
  const { linkId } = await post({ barcode, itemId: "apple" });
  for (const relink of [
    () => writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]),
    () => post({ barcode, itemId: "apple" }),
    () => patch(linkId, { itemId: "pear" }),
  ]) {
    await patch(linkId, { status: "INACTIVE" });
    t.is((await read(linkId)).status, "INACTIVE");
    await relink();
    t.is((await read(linkId)).status, "ACTIVE");
  }
});

test.serial("a link whose item is deleted cannot be switched on; it comes back with the item", async (t) => {
  await writeItems(shelfwire, [{ itemId: "date" }]);
  const { linkId } = await post({ barcode: labelFor("of a date"), itemId: "date" });
  await patch(linkId, { status: "INACTIVE" });
  await deleteItem(shelfwire, "date");
  t.is((await patch(linkId, { status: "ACTIVE" }))?.status, "SUCCESS");
  await eventually("it has no item", async () => (await read(linkId)).status === "INACTIVE");
  await writeItems(shelfwire, [{ itemId: "date" }]);
  await eventually("it is back", async () => (await read(linkId)).status === "ACTIVE");
  t.pass();
});

test.serial("INACTIVE links occupy no position: a label may get a model with fewer", async (t) => {
  const barcode = labelFor("shrinking");
  await writeLabels(shelfwire, [{ barcode, modelName: "Three" }]);
  const { linkId } = await post({ barcode, itemId: "apple", displayPosition: 2 });
  const shrink = async () => (await writeLabels(shelfwire, [{ barcode, modelName: "Medium" }]))[0]?.status;
  t.is(await shrink(), "ERROR");
  await patch(linkId, { status: "INACTIVE" });
  t.is(await shrink(), "SUCCESS");
});

test.serial("lists are in the order of label and position, and have INACTIVE links", async (t) => {
  const barcode = labelFor("listed");
  await writeItems(shelfwire, [{ itemId: "listed" }]);
  await writeLabels(shelfwire, [{ barcode, modelName: "Three" }]);
  for (const displayPosition of [2, 0, 1]) await post({ barcode, itemId: "listed", displayPosition });
  await patch(linkIdOf(barcode, 1), { status: "INACTIVE" });
  const shown = [
    [0, "ACTIVE"],
    [1, "INACTIVE"],
    [2, "ACTIVE"],
  ];
  for (const path of [`/labels/${barcode}/links`, "/items/listed/links"]) {
    t.deepEqual(
      (await list(path)).map(({ displayPosition, status }) => [displayPosition, status] as unknown),
      shown,
    );
  }
});

test("links of an unknown label or item, and an unknown link, are 404", async (t) => {
  for (const path of [
    `/labels/${labelFor("nowhere")}/links`,
    "/items/nothing/links",
    "/links/nothing-0",
    "/links/bulk",
  ])
    await refused(t, await shelfwire.call("GET", path), 404);
});

test("the pipeline's endpoints need links:read and links:write", async (t) => {
  const as = async (scope: string) => ({ authorization: `Bearer ${await shelfwire.token({ scope })}` });
  const reader = await as("labels:read labels:write links:read");
  const writer = await as("labels:read labels:write links:write");
  for (const path of ["/links/A-0", "/items/apple/links", "/labels/A/links", "/links-result/1"])
    await refused(t, await shelfwire.call("GET", path, undefined, writer), 403);
  await refused(t, await shelfwire.call("POST", "/links", { barcode: "A", itemId: "apple" }, reader), 403);
  await refused(t, await shelfwire.call("PATCH", "/links/A-0", {}, reader), 403);
  await refused(t, await shelfwire.call("DELETE", "/links/A-0", undefined, reader), 403);
  await refused(t, await shelfwire.call("POST", "/links/bulk", {}, reader), 403);
});
