import test from "ava";
import { designOfCreation, faultsOfLink, rowOfLinkPatch } from "../../../api/links/link-designs.ts";

const creations: [rule: string, body: Parameters<typeof designOfCreation>[1], design: object][] = [
  ["without metadata or a design, the rules choose the design", {}, { origin: "studio" }],
  ["null counts as absent", { designId: null, designerlink: null, forced_design_id: null }, { origin: "studio" }],
  [
    "a design without metadata makes a designer link, which has the design's full key",
    { designId: "poster" },
    { origin: "designer", designId: "t/demo/designs/poster" },
  ],
  [
    "a studio link keeps its forced design",
    { forced_design_id: "t/demo/designs/offer" },
    { origin: "studio", forced_design_id: "t/demo/designs/offer" },
  ],
  [
    "designer metadata makes a designer link; null fields are absent",
    { designId: "poster", designerlink: { canvasId: "c", designVersion: 2, creationTimestamp: null, author: "Ana" } },
    {
      origin: "designer",
      designId: "t/demo/designs/poster",
      designerlink: { canvasId: "c", designVersion: 2, author: "Ana" },
    },
  ],
  [
    "ECC metadata makes an ECC link whose design is its model; its maps may have any keys",
    { designId: "ignored", ecclink: { eccModelId: "m1", parameters: { "$a.b": "1" } } },
    {
      origin: "ecc",
      designId: "m1",
      ecclink: { eccModelId: "m1", parameters: [{ key: "$a.b", value: "1" }], renderingHints: [] },
    },
  ],
  [
    "studio metadata sets priority and validity; fields that the rules choose are ignored",
    {
      designId: "ignored",
      studiolink: { scenarioId: "x", design_id: "y", conditions: ["z"], priority: 3, validityPeriod: { to: "2027" } },
    },
    { origin: "studio", studiolink: { priority: 3, validityPeriod: { to: "2027" } } },
  ],
];
for (const [rule, body, design] of creations) {
  test(rule, (t) => t.deepEqual(designOfCreation("t/demo", body) as object, design));
}

const faults: [rule: string, body: Parameters<typeof faultsOfLink>[1], pointers: string[]][] = [
  ["one kind of metadata", { designerlink: { canvasId: "c" } }, []],
  [
    "each additional kind is a fault",
    { designerlink: { canvasId: "c" }, ecclink: { eccModelId: "m" }, studiolink: {} },
    ["/ecclink", "/studiolink"],
  ],
  ["a null kind counts as absent", { designerlink: null, ecclink: { eccModelId: "m" } }, []],
  [
    "designs of another tenant",
    { designId: "t/other/designs/a", forced_design_id: "t/demo2/designs/b" },
    ["/designId", "/forced_design_id"],
  ],
  ["the tenant's designs, by ID and by full key", { designId: "a", forced_design_id: "t/demo/designs/b" }, []],
  ["a key of another kind is not a design", { designId: "t/demo/items/a" }, ["/designId"]],
];
for (const [rule, body, pointers] of faults) {
  test(`faults: ${rule}`, (t) =>
    t.deepEqual(
      faultsOfLink("t/demo", body).map(({ pointer }) => pointer),
      pointers,
    ));
}

const rows: [rule: string, body: Parameters<typeof rowOfLinkPatch>[2], row: object][] = [
  ["no field is named", {}, {}],
  ["empty strings name no item", { itemId: "", linkedItemId: null }, {}],
  ["null and an empty string clear the facings", { facings: "" }, { facings: null }],
  ["null clears the forced design", { forced_design_id: null }, { forced_design_id: null }],
  ["a forced design by its full key", { forced_design_id: "a" }, { forced_design_id: "t/demo/designs/a" }],
  ["a design without metadata", { designId: "a" }, { designId: "t/demo/designs/a" }],
  [
    "a design and its metadata change together",
    { designId: "a", designerlink: { canvasId: "c" } },
    { design: { origin: "designer", designId: "t/demo/designs/a", designerlink: { canvasId: "c" } } },
  ],
];
for (const [rule, body, row] of rows) {
  test(`PATCH: ${rule}`, (t) =>
    t.deepEqual(rowOfLinkPatch("t/demo", "A4-0", body) as object, { linkId: "A4-0", ...row }));
}
