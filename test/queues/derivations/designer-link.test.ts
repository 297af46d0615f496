import test from "ava";
import { projectDesignerLink } from "../../../queues/derivations/designer-link.ts";
import { projectEccLink } from "../../../queues/derivations/ecc-link.ts";
import type { StudioLink } from "../../../schemas/design.ts";
import type { Link } from "../../../schemas/link.ts";
import type { Stored } from "../../../schemas/record.ts";

const link: Stored<Link> = {
  _id: "t/demo/s/main/links/A1-0",
  store: "t/demo/s/main",
  rev: 7,
  writeId: "w",
  changedAt: new Date(0),
  eslId: "A1",
  displayPosition: 0,
  itemId: "milk",
  linkedItemId: "385001",
  facings: "3",
  location: "aisle 4",
  status: "ACTIVE",
  origin: "studio",
  linkedAt: new Date(0),
  stamp: 10,
};
const studioLink: StudioLink = {
  design_id: "t/demo/designs/special",
  scenarioId: "special",
  conditions: ["item.price != ''"],
  priority: 1,
};

test("a designer link contains the link's fields that the renderer needs, the design that the rules chose, and nothing else", (t) => {
  t.deepEqual(projectDesignerLink({ link, studioLink }), {
    derivedFrom: "studiolink.v1",
    linkRev: 7,
    status: "ACTIVE",
    design_id: "t/demo/designs/special",
    itemId: "milk",
    facings: "3",
    location: "aisle 4",
  });
});

const moved: [what: string, link: Stored<Link>, studioLink: StudioLink][] = [
  ["a relink", { ...link, itemId: "bread" }, studioLink],
  ["an unlink", { ...link, status: "DELETED" }, studioLink],
  ["an item that was deleted", { ...link, status: "INACTIVE" }, studioLink],
  ["a changed facing", { ...link, facings: "4" }, studioLink],
  ["a label that was moved", { ...link, location: "aisle 5" }, studioLink],
  ["any other change to the link", { ...link, rev: 8 }, studioLink],
  ["a different design", link, { ...studioLink, design_id: "t/demo/designs/regular" }],
  ["no compatible design", link, { ...studioLink, design_id: null }],
];
for (const [what, otherLink, otherStudioLink] of moved) {
  test(`${what} reaches the renderer, since the designer link changes`, (t) => {
    const before = projectDesignerLink({ link, studioLink });
    t.notDeepEqual(projectDesignerLink({ link: otherLink, studioLink: otherStudioLink }), before);
  });
}

test("a different reason for the same design does not reach the renderer", (t) => {
  const before = projectDesignerLink({ link, studioLink });
  const other = { ...studioLink, scenarioId: "other", conditions: ["true"], priority: 2 };
  t.deepEqual(projectDesignerLink({ link, studioLink: other }), before);
});

test("a facing and a location are absent if the link has none", (t) => {
  const { facings: _, location: __, ...bare } = link;
  const projected = projectDesignerLink({ link: bare, studioLink });
  t.false("facings" in projected);
  t.false("location" in projected);
});

const forced = "t/demo/designs/forced";
const designer: Stored<Link> = {
  ...link,
  origin: "designer",
  designId: "t/demo/designs/poster",
  designerlink: { canvasId: "poster", designVersion: 2, author: "Ana" },
};
const ecc: Stored<Link> = {
  ...link,
  origin: "ecc",
  designId: "m1",
  ecclink: { eccModelId: "m1", parameters: [{ key: "$size", value: "L" }], renderingHints: [] },
};
const carried = { linkRev: 7, status: "ACTIVE", itemId: "milk", facings: "3", location: "aisle 4" };

test("a designer's own link is drawn directly with its design and its metadata", (t) => {
  t.deepEqual(projectDesignerLink({ link: designer }) as unknown, {
    ...carried,
    design_id: "t/demo/designs/poster",
    canvasId: "poster",
    designVersion: 2,
    author: "Ana",
    isDesigners: true,
  });
  t.false("isDesigners" in projectDesignerLink({ link: { ...designer, status: "DELETED" } }));
});

test("a designer's link without metadata is also drawn with its design", (t) => {
  const { designerlink: _, ...bare } = designer;
  const drawn = { ...carried, design_id: "t/demo/designs/poster", isDesigners: true };
  t.deepEqual(projectDesignerLink({ link: bare }) as unknown, drawn);
});

test("rule 2: a forced design is drawn directly, whatever the link's kind", (t) => {
  const studio = { ...link, forced_design_id: forced };
  t.is(projectDesignerLink({ link: studio, studioLink: { design_id: null, conditions: [] } }).design_id, forced);
  t.is(projectDesignerLink({ link: { ...designer, forced_design_id: forced } }).design_id, forced);
  const drawn = projectDesignerLink({ link: { ...ecc, forced_design_id: forced } });
  t.is(drawn.design_id, forced);
  t.is(drawn.eccModelId, undefined);
});

test("an ECC link is drawn by its model, and the studio renderer receives no design", (t) => {
  t.deepEqual(projectDesignerLink({ link: ecc }) as unknown, { ...carried, design_id: null, eccModelId: "m1" });
});

test("an ECC link is projected with its model, parameters and hints", (t) => {
  t.deepEqual(projectEccLink(ecc, undefined) as unknown, { ...carried, ...ecc.ecclink });
});

test("the projection of a former ECC link ends, and other links have no projection", (t) => {
  const before = projectEccLink(ecc, undefined);
  t.deepEqual(projectEccLink({ ...designer, rev: 8 }, before) as unknown, { ...before, linkRev: 8, status: "DELETED" });
  t.is(projectEccLink(designer, undefined), undefined);
});

test("a link without a matching scenario or pack says which is missing, and a choice says when it was caused", (t) => {
  const pack = "communicationpack.v1 t/demo/communicationpacks/rules#9";
  const inputs = ["link.v2 t/demo/s/main/links/A1-0#7", "storeitemvalues.v1 t/demo/s/main/items/milk#8"];
  const none = { design_id: null, conditions: [] };
  const project = (studio: object) => projectDesignerLink({ link, studioLink: { ...studioLink, ...studio } });
  t.like(projectDesignerLink({ link, studioLink: { ...none, inputs } }), { unmatched: "no pack", choiceRev: 8 });
  t.like(projectDesignerLink({ link, studioLink: { ...none, inputs: [...inputs, pack] } }), {
    unmatched: "no scenario",
    choiceRev: 9,
  });
  t.is(project({ design_id: null, inputs: [...inputs, pack] }).unmatched, undefined, "none of its designs fits");
  t.is(project({ ...none, fault: "too costly", inputs }).unmatched, undefined);
  const mark = "fitting designs a in UTC since 2026-03-01T00:00:00.000Z";
  t.is(project({ inputs: [...inputs, mark] }).choiceRev, Date.UTC(2026, 2, 1), "the end of a period is a cause");
  const forced = { ...link, forced_design_id: "t/demo/designs/other" };
  t.is(projectDesignerLink({ link: forced, studioLink: { ...none, inputs } }).choiceRev, undefined);
});
