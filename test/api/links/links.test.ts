import test from "ava";
import { linkIdOf } from "../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { labelFor } from "../../harness/glass.ts";
import type { Shelfwire } from "../../harness/shelfwire.ts";
import { pointersOf, readLabel, refused } from "../calls.ts";
import { design, FITS, linkCalls, openForLinks, TOO_LARGE } from "./link-calls.ts";

let shelfwire: Shelfwire;
const { read, post, patch, remove, list, evaluated } = linkCalls(() => shelfwire);
test.before(async () => {
  shelfwire = await openForLinks();
});
test.after.always(() => shelfwire.close());

test.serial("POST /links links an item to a label's position; the receipt contains the link's ID", async (t) => {
  const barcode = labelFor("posted");
  const { linkId, outcome } = await post({ barcode, itemId: "apple", facings: "2" });
  t.is(linkId, linkIdOf(barcode, 0));
  t.deepEqual(outcome, { barcode, itemId: "apple", displayPosition: 0, status: "SUCCESS", errors: [] });
  t.deepEqual(await evaluated(linkId), {
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

test.serial("eslId is another name for the barcode, and linkedItemId is a SIC that wins over itemId", async (t) => {
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
  ["facings that are not a number", { barcode: "A", itemId: "apple", facings: "many" }, ["/facings"]],
  [
    "designer metadata of the wrong types",
    { barcode: "A", itemId: "apple", designerlink: { designVersion: "two", creationTimestamp: "yesterday" } },
    ["/designerlink/canvasId", "/designerlink/creationTimestamp", "/designerlink/designVersion"],
  ],
  [
    "ECC parameters that are not strings",
    { barcode: "A", itemId: "apple", ecclink: { eccModelId: "m", parameters: { size: [1] } } },
    ["/ecclink/parameters/size"],
  ],
];
for (const [what, body, pointers] of badCreations) {
  test(`POST /links: ${what} returns 400`, async (t) => {
    t.deepEqual(pointersOf(await refused(t, await shelfwire.call("POST", "/links", body), 400)), pointers);
  });
}

test.serial("POST /links returns the row statuses of PATCH /labels", async (t) => {
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
  "an unknown or unsuitable design makes the row an ERROR, which names the design and the label type",
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

test.serial("relinking an occupied position replaces the link and keeps nothing of the old link", async (t) => {
  const barcode = labelFor("relinked");
  const { linkId } = await post({ barcode, itemId: "apple", facings: "3", forced_design_id: FITS });
  await post({ barcode, itemId: "pear" });
  t.like(await read(linkId), { itemId: "pear", facings: null, forced_design_id: null, status: "ACTIVE" });
  t.deepEqual(
    (await list(`/labels/${barcode}/links`)).map(({ itemId }) => itemId),
    ["pear"],
  );
  t.false((await list("/items/apple/links")).some((link) => link.linkId === linkId));
});

test.serial("a deleted link is returned as DELETED, appears in no list, and only POST creates it again", async (t) => {
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

test("links of an unknown label or item, and an unknown link, return 404", async (t) => {
  for (const path of [
    `/labels/${labelFor("nowhere")}/links`,
    "/items/nothing/links",
    "/links/nothing-0",
    "/links/bulk",
  ])
    await refused(t, await shelfwire.call("GET", path), 404);
});

test("the pipeline's endpoints require links:read and links:write", async (t) => {
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
