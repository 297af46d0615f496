import test from "ava";
import { checkNamedDesigns, type KnownDesigns } from "../../../domain/linking/check-named-designs.ts";
import { canvasDesignKey, designKey } from "../../../schemas/keys.ts";
import type { LinkDesign } from "../../../schemas/link.ts";
import { type RowNotice, rowText } from "../../../schemas/row-notice.ts";

const key = (id: string) => designKey("t/demo", id);
const canvas = (id: string) => canvasDesignKey("t/demo", id);
const known: KnownDesigns = new Map([
  [key("large"), { canvasId: canvas("offer"), compatible_esltype_ids: [1340] }],
  [key("small"), { canvasId: canvas("offer"), compatible_esltype_ids: [1328] }],
]);
const choose = (design: LinkDesign) => checkNamedDesigns(design, 1328, known);

const good: [rule: string, design: LinkDesign, expected?: Partial<LinkDesign>][] = [
  ["a studio link names no design", { origin: "studio" }],
  ["a forced design that fits", { origin: "studio", forced_design_id: key("small") }],
  ["a designer link's own design that fits", { origin: "designer", designId: key("small") }],
  [
    "a designer link with a canvas has the canvas's first fitting design",
    { origin: "designer", designerlink: { canvasId: "offer" } },
    { designId: key("small") },
  ],
  [
    "the canvas by its full key",
    { origin: "designer", designerlink: { canvasId: canvas("offer") } },
    { designId: key("small") },
  ],
  [
    "the model of an ECC link is not a design",
    { origin: "ecc", designId: "m1", ecclink: { eccModelId: "m1", parameters: [], renderingHints: [] } },
  ],
];
for (const [rule, design, expected = {}] of good) {
  test(rule, (t) => t.deepEqual(choose(design), { ...design, ...expected }));
}

const bad: [rule: string, design: LinkDesign, named: RegExp][] = [
  ["an unknown forced design", { origin: "studio", forced_design_id: key("gone") }, /designs\/gone".*1328/],
  ["a forced design that does not fit", { origin: "studio", forced_design_id: key("large") }, /designs\/large".*1328/],
  ["an unknown design of a designer link", { origin: "designer", designId: key("gone") }, /designs\/gone".*1328/],
  ["a design of a designer link that does not fit", { origin: "designer", designId: key("large") }, /large".*1328/],
  [
    "a forced design of a designer link that does not fit",
    { origin: "designer", designId: key("small"), forced_design_id: key("large") },
    /large".*1328/,
  ],
  ["a canvas without designs", { origin: "designer", designerlink: { canvasId: "gone" } }, /1328.*canvas "gone"/],
];
for (const [rule, design, named] of bad) {
  test(`refused, and the error names the design and type: ${rule}`, (t) =>
    t.regex(rowText(choose(design) as RowNotice), named));
}
