import test from "ava";
import { type LinkChange, patchLink } from "../../../domain/linking/merge-link.ts";
import type { Link } from "../../../schemas/link.ts";

const THEN = new Date("2026-03-01T08:00:00Z");
const NOW = new Date("2026-03-02T08:00:00Z");

const link = (fields: Partial<Link> = {}): Link => ({
  eslId: "A4",
  displayPosition: 0,
  itemId: "milk",
  linkedItemId: "385",
  facings: "3",
  location: "aisle 4",
  status: "ACTIVE",
  origin: "studio",
  forced_design_id: "t/demo/designs/offer",
  linkedAt: THEN,
  stamp: 10,
  ...fields,
});
const designer = link({
  origin: "designer",
  designId: "t/demo/designs/poster",
  designerlink: { canvasId: "poster" },
  forced_design_id: undefined,
});

const patch = (current: Link, change: Partial<LinkChange>, isLatest = true) =>
  patchLink(current, { stamp: 20, ...change }, isLatest, NOW);

const changes: [rule: string, current: Link, change: Partial<LinkChange>, expected: Partial<Link>][] = [
  ["facings are set", link(), { facings: "4" }, { facings: "4", itemId: "milk", linkedAt: THEN }],
  ["facings are cleared by null", link(), { facings: null }, { facings: undefined }],
  [
    "a forced design is set",
    link(),
    { forced_design_id: "t/demo/designs/x" },
    { forced_design_id: "t/demo/designs/x" },
  ],
  ["a forced design is cleared by null", link(), { forced_design_id: null }, { forced_design_id: undefined }],
  [
    "another code for the same item keeps its values",
    link(),
    { itemId: "milk", linkedItemId: "386" },
    { linkedItemId: "386", facings: "3", forced_design_id: "t/demo/designs/offer", linkedAt: THEN },
  ],
  [
    "another item is a relink that drops the former item's facings and forced design",
    link(),
    { itemId: "bread", linkedItemId: "bread" },
    { itemId: "bread", linkedItemId: "bread", facings: undefined, forced_design_id: undefined, linkedAt: NOW },
  ],
  [
    "another item with its own facings and forced design",
    link(),
    { itemId: "bread", linkedItemId: "bread", facings: "1", forced_design_id: "t/demo/designs/x" },
    { itemId: "bread", facings: "1", forced_design_id: "t/demo/designs/x" },
  ],
  [
    "a designer link that moves to another item keeps its design",
    designer,
    { itemId: "bread", linkedItemId: "bread" },
    { itemId: "bread", origin: "designer", designId: "t/demo/designs/poster", designerlink: { canvasId: "poster" } },
  ],
  ["a link is deactivated", link(), { status: "INACTIVE" }, { status: "INACTIVE", switchedOff: true }],
  [
    "a link is activated",
    link({ status: "INACTIVE", switchedOff: true }),
    { status: "ACTIVE" },
    { status: "ACTIVE", switchedOff: undefined },
  ],
  [
    "a deactivated link is ACTIVE with another item",
    link({ status: "INACTIVE", switchedOff: true }),
    { itemId: "bread", linkedItemId: "bread" },
    { status: "ACTIVE", switchedOff: undefined },
  ],
  [
    "a relinked link stays INACTIVE if the same change says so",
    link(),
    { itemId: "bread", linkedItemId: "bread", status: "INACTIVE" },
    { itemId: "bread", status: "INACTIVE", switchedOff: true },
  ],
  [
    "a deactivated link stays INACTIVE when only its facings change",
    link({ status: "INACTIVE", switchedOff: true }),
    { facings: "4" },
    { status: "INACTIVE", switchedOff: true, facings: "4" },
  ],
  [
    "setting designer metadata removes the studio link's fields",
    link({ studiolink: { priority: 3 } }),
    { design: { origin: "designer", designId: "t/demo/designs/x", designerlink: { canvasId: "x" } } },
    { origin: "designer", designId: "t/demo/designs/x", designerlink: { canvasId: "x" }, studiolink: undefined },
  ],
  [
    "setting ECC metadata removes the designer link's fields",
    designer,
    { design: { origin: "ecc", designId: "m1", ecclink: { eccModelId: "m1", parameters: [], renderingHints: [] } } },
    { origin: "ecc", designId: "m1", designerlink: undefined },
  ],
  [
    "setting studio metadata removes the design of a designer link",
    designer,
    { design: { origin: "studio", studiolink: {} } },
    { origin: "studio", designId: undefined, designerlink: undefined },
  ],
  [
    "a forced design stays when the link's origin changes",
    link(),
    { design: { origin: "studio", studiolink: {} } },
    { forced_design_id: "t/demo/designs/offer" },
  ],
  ["a designer link gets another design", designer, { designId: "t/demo/designs/x" }, { designId: "t/demo/designs/x" }],
  ["a studio link has no design of its own", link(), { designId: "t/demo/designs/x" }, { designId: undefined }],
];
for (const [rule, current, change, expected] of changes) {
  test(rule, (t) => {
    const patched = patch(current, change);
    for (const [field, value] of Object.entries(expected)) t.deepEqual(patched[field as keyof Link], value, field);
    t.is(patched.location, "aisle 4");
  });
}

test("absent fields stay: an empty change returns the same object", (t) => {
  for (const present of [link(), designer]) t.is(patch(present, {}), present);
});

test("if an earlier row may still arrive, an empty change sets its stamp", (t) => {
  t.is(patch(link(), {}, false).stamp, 20);
});

test("a change sets its stamp", (t) => {
  t.is(patch(link(), { facings: "4" }).stamp, 20);
});

test("an older change loses", (t) => {
  const present = link();
  t.is(patch(present, { facings: "4", stamp: 9 }), present);
});

test("a DELETED link is not changed: only a new link makes the position ACTIVE", (t) => {
  const tombstone = link({ status: "DELETED" });
  for (const change of [{ status: "ACTIVE" as const }, { itemId: "bread" }, { facings: "4" }])
    t.is(patch(tombstone, change), tombstone);
});

test("repeating a change changes nothing", (t) => {
  for (const [, current, change] of changes) {
    const once = patch(current, change);
    t.is(patch(once, change), once);
  }
});
