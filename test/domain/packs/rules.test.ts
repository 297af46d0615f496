import test from "ava";
import { studioLinkDerivation } from "../../../queues/derivations/studio-link.ts";
import { canvasDesigns, communicationPacks, designs } from "../../../records/kinds/designs.ts";
import { items } from "../../../records/kinds/items.ts";
import { links, studioLinks } from "../../../records/kinds/links.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import type { Scenario } from "../../../schemas/design.ts";
import {
  canvasDesignKey,
  designKey,
  fullDesignKey,
  itemKey,
  linkIdOf,
  linkKey,
  tenantKey,
} from "../../../schemas/keys.ts";
import type { Link } from "../../../schemas/link.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { DEMO_STORE, labelFor } from "../../harness/glass.ts";
import { openShelfwire, type Shelfwire } from "../../harness/shelfwire.ts";

/**
 * The link evaluation rules 2 to 9 (docs/rules.md#the-eleven-rules), each as a table, with stored links, items, packs
 * and designs. Rules 1, 10 and 11 concern publishing: test/flow/evaluation-rules.test.ts.
 */
let shelfwire: Shelfwire;
const tenant = tenantKey(TENANT_ID);
const TYPE = 1328;
const eslId = labelFor("by the rules");
const link = linkKey(DEMO_STORE, linkIdOf(eslId, 0));
const key = (id: string): string => designKey(tenant, id);

/** The tests' designs, each with the label types that it fits. */
const types: Record<string, number[]> = {
  ...Object.fromEntries([..."abcdefgh"].map((id) => [id, [TYPE]])),
  small: [1317],
  both: [1317, TYPE],
};

test.before(async () => {
  shelfwire = await openShelfwire({ workers: [] });
  const { commit } = shelfwire.system;
  const canvasId = canvasDesignKey(tenant, "any");
  const canvas = { name: "any", width: 296, height: 128, background: "white" as const, elements: [] };
  await commit.change(canvasDesigns, [canvasId], () => canvas, "bulk");
  for (const [id, compatible_esltype_ids] of Object.entries(types))
    await commit.change(designs, [key(id)], () => ({ name: id, canvasId, compatible_esltype_ids }), "bulk");
});
test.after.always(() => shelfwire.close());

/** A tree node with its expression, its bare design IDs and its children. */
const node = (cel_expression: string | undefined, designIds: string, children: Scenario[] = []): Scenario => ({
  id: designIds || "none",
  name: designIds || "none",
  ...(cel_expression !== undefined && { cel_expression }),
  design_ids: [...designIds.split(" ")].filter(Boolean).map(key),
  children,
});

interface Case {
  scenarios?: Scenario[];
  properties?: Record<string, string>;
  price?: string;
  link?: Partial<Link>;
}

/** Stores the case, evaluates the link, and returns the studio link's record. */
async function evaluate({ scenarios = [], properties = {}, price, link: fields = {} }: Case) {
  const { records, commit, derive } = shelfwire.system;
  const pack = (await records.read(tenants, [tenant])).get(tenant)?.communicationPack ?? "";
  await commit.change(communicationPacks, [pack], () => ({ name: "case", scenarios }), "bulk");
  const item = {
    itemId: "milk",
    itemName: "Milk",
    ...(price !== undefined && { price }),
    sics: [],
    properties: Object.entries(properties).map(([key, value]) => ({ key, value, stamp: 1 })),
    stamps: {},
    created: 1,
  };
  await commit.change(items, [itemKey(DEMO_STORE, "milk")], () => item, "bulk");
  const linked = { eslId, displayPosition: 0, itemId: "milk", linkedItemId: "milk", linkedAt: new Date(0), stamp: 1 };
  await commit.change(links, [link], () => ({ ...linked, status: "ACTIVE", origin: "studio", ...fields }), "bulk");
  await derive(
    studioLinkDerivation({
      records,
      schemeOf: async () => () => TYPE,
      now: () => new Date(0),
      log: { error: () => {} },
    }),
    [link],
    "bulk",
  );
  const studioLink = (await records.read(studioLinks, [link])).get(link);
  if (studioLink === undefined) throw new Error("the link was not evaluated");
  return studioLink;
}

type Row = [what: string, found: Case, design: string | null];

/** One test for each row, which names the expected design by its bare ID. */
function table(rule: string, rows: readonly Row[]): void {
  for (const [what, found, design] of rows) {
    test.serial(`rule ${rule}: ${what}`, async (t) => {
      // The links are removed, so that a case does not begin with the previous case's design.
      await evaluate({ scenarios: [node("true", design === key("h") ? "g" : "h")] });
      t.is((await evaluate(found)).design_id, design === null ? null : key(design));
    });
  }
}

const always = node("true", "a");
table("2", [
  [
    "a forced design is used, whatever the rules would choose",
    { scenarios: [always], link: { forced_design_id: key("b") } },
    "b",
  ],
  ["no expression is needed for a forced design", { scenarios: [], link: { forced_design_id: key("b") } }, "b"],
  [
    "an unsuitable forced design leaves no design: the rules are not evaluated",
    { scenarios: [always], link: { forced_design_id: key("small") } },
    null,
  ],
]);

table("3", [
  ["the first true scenario wins", { scenarios: [node("false", "a"), node("true", "b"), node("true", "c")] }, "b"],
  ["a child is tried before its parent", { scenarios: [node("true", "a", [node("true", "b")])] }, "b"],
  ["if no child is true the parent is used", { scenarios: [node("true", "a", [node("false", "b")])] }, "a"],
  [
    "a child applies only if its parent does",
    { scenarios: [node("false", "a", [node("true", "b")]), node("true", "c")] },
    "c",
  ],
  [
    "all ancestors must apply",
    { scenarios: [node("true", "a", [node("false", "b", [node("true", "c")]), node("true", "d")])] },
    "d",
  ],
  ["the deepest true scenario wins", { scenarios: [node("true", "a", [node("true", "b", [node("true", "c")])])] }, "c"],
  ["depth precedes order", { scenarios: [node("true", "a", [node("true", "b")]), node("true", "c")] }, "b"],
  ["a blank expression is true", { scenarios: [node(undefined, "a", [node(" ", "b")])] }, "b"],
  ["if none applies there is no design", { scenarios: [node("false", "a")] }, null],
  [
    "a child's text cannot escape its parent",
    { scenarios: [node("false", "a", [node("false) || (true", "b")]), node("true", "c")] },
    "c",
  ],
  ["a match without designs means no design", { scenarios: [node("true", ""), node("true", "a")] }, null],
]);

const on = (expression: string, found: Omit<Case, "scenarios"> = {}): Case => ({
  ...found,
  scenarios: [node(expression, "a"), node(undefined, "b")],
});
table("4", [
  ["item contains the properties", on('item.kind == "special"', { properties: { kind: "special" } }), "a"],
  [
    "item contains properties whose names are not identifiers",
    on('item["price kind"] == "x"', { properties: { "price kind": "x" } }),
    "a",
  ],
  ["item contains the item's own fields", on('item.itemId == "milk" && item.price == "1.99"', { price: "1.99" }), "a"],
  [
    "a property takes precedence over a field with the same name",
    on('item.price == "special"', { price: "1", properties: { price: "special" } }),
    "a",
  ],
  ["a price is compared as a number by double()", on("double(item.price) > 9.99", { price: "10.50" }), "a"],
  [
    "a price that is not a number is not greater than any number",
    on("double(item.price) > 9.99", { price: "on request" }),
    "b",
  ],
  ["link contains the location", on('link.location == "aisle 4"', { link: { location: "aisle 4" } }), "a"],
  ["link contains the facings as a number", on("link.facings >= 3", { link: { facings: "03" } }), "a"],
  ["device contains the label's type", on("device.type == 1328"), "a"],
  ["a false value does not apply", on("device.type == 1317"), "b"],
  ["a value that is not a boolean does not apply", on("item.itemId"), "b"],
]);

table("5", [
  ["a comparison with a missing property is false", on('item.none == "x"'), "b"],
  ["a comparison that a missing property would make true is false", on('item.none != "x"'), "b"],
  ["a negated comparison with a missing property is false", on('!(item.none == "x")'), "b"],
  ["a missing property makes an expression false even next to a true operand", on('item.none == "x" || true'), "b"],
  ["a link without location", on('link.location != "aisle 4"'), "b"],
  ["a link without facings", on("link.facings < 3"), "b"],
  ["has() tests a path without requiring it", on("!has(item.none)"), "a"],
  ["`in` tests a path without requiring it", on('!("none" in item)'), "a"],
  ["a path guarded by has() is not missing", on('!has(item.none) || item.none == "x"'), "a"],
]);

test.serial("rule 6: the design of a studio link is a full key", async (t) => {
  t.is((await evaluate({ scenarios: [always] })).design_id, `t/${TENANT_ID}/designs/a`);
});

const ids: [what: string, id: string, full: string | undefined][] = [
  ["a bare id", "a", "t/demo/designs/a"],
  ["a full key", "t/demo/designs/a", "t/demo/designs/a"],
  ["another tenant's key", "t/other/designs/a", undefined],
  ["a key of another record kind", "t/demo/canvasdesigns/a", undefined],
];
for (const [what, id, full] of ids) test(`rule 6: ${what} is resolved`, (t) => t.is(fullDesignKey(tenant, id), full));

const chosen = (designIds: string): Case => ({ scenarios: [node("true", designIds), node("true", "c")] });
table("7", [
  ["a design for the label's type is kept", chosen("a"), "a"],
  ["the first design that fits is used", chosen("small both a"), "both"],
  ["if no design fits there is none: the search does not continue", chosen("small"), null],
  ["an unknown design fits no label", chosen("gone a"), "a"],
]);

test.serial("rule 8: a different design is written", async (t) => {
  const before = await evaluate({ scenarios: [always] });
  const after = await evaluate({ scenarios: [node("true", "b")] });
  t.true(after.rev > before.rev);
  t.is(after.design_id, key("b"));
  t.true((await evaluate({ scenarios: [] })).rev > after.rev, "having no design counts as a different design");
});

test.serial("rule 9: the same design is not written again, whatever else has changed", async (t) => {
  const before = await evaluate({ scenarios: [always] });
  const same: Case[] = [
    { scenarios: [always] },
    { scenarios: [{ ...always, id: "renamed", priority: 2 }] },
    { scenarios: [node("true", "b", [node("true", "a")])] },
    { scenarios: [always], price: "2.99", properties: { kind: "special" } },
    { scenarios: [always], link: { facings: "4", location: "aisle 5" } },
    { scenarios: [], link: { forced_design_id: key("a") } },
  ];
  for (const found of same) t.is((await evaluate(found)).writeId, before.writeId);
});
