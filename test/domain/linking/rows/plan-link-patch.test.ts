import test from "ava";
import { planLinkPatch } from "../../../../domain/linking/plan-link-patch.ts";
import { designKey } from "../../../../schemas/keys.ts";
import type { Link } from "../../../../schemas/link.ts";
import type { LinkPatchRow } from "../../../../schemas/link-record.ts";

const key = (id: string) => designKey("t/demo", id);
const facts = {
  positions: 3,
  type: 1328,
  itemOf: (code: string) => new Map(Object.entries({ milk: "milk", "385": "milk" })).get(code),
  designs: new Map([
    [key("small"), { canvasId: "t/demo/canvasdesigns/c", compatible_esltype_ids: [1328] }],
    [key("large"), { canvasId: "t/demo/canvasdesigns/c", compatible_esltype_ids: [1340] }],
  ]),
};
const plan = (row: Partial<LinkPatchRow>, origin: Link["origin"] = "studio", positions?: number) =>
  planLinkPatch(
    { linkId: "A4-2", ...row },
    { eslId: "A4", displayPosition: 2, itemId: "tea", linkedItemId: "386", origin },
    { ...facts, ...(positions && { positions }) },
  );
const success = (itemId: string) => ({ barcode: "A4", itemId, displayPosition: 2, status: "SUCCESS", errors: [] });

test("a row without an item changes the link of its current item", (t) => {
  t.deepEqual(plan({ facings: "2", status: "INACTIVE" }), {
    change: { facings: "2", status: "INACTIVE" },
    outcome: success("tea"),
  });
});

test("a code selects its item, and linkedItemId takes precedence over itemId", (t) => {
  const { change, outcome } = plan({ itemId: "bread", linkedItemId: "385" });
  t.deepEqual(change, { itemId: "milk", linkedItemId: "385" });
  t.deepEqual(outcome, success("milk"));
});

test("an unknown code is ITEM_NOT_FOUND and changes nothing", (t) => {
  const { change, outcome } = plan({ itemId: "bread", facings: "2" });
  t.is(change, undefined);
  const errors = ['"bread" is neither an item id nor a SIC'];
  t.like(outcome, { itemId: "bread", status: "ITEM_NOT_FOUND", errors });
});

test("a change includes the designer link's own design if it fits", (t) => {
  const { change, outcome } = plan({ designId: key("small") }, "designer");
  t.deepEqual(change, { designId: key("small") });
  t.is(outcome.status, "SUCCESS");
  t.false("designId" in (plan({ facings: "2" }, "designer").change ?? {}));
});

test("a label of an unknown model has no limit on positions", (t) => {
  const { outcome } = planLinkPatch(
    { linkId: "A4-2", status: "ACTIVE" },
    { eslId: "A4", displayPosition: 2, itemId: "tea", linkedItemId: "386", origin: "studio" },
    { ...facts, positions: undefined },
  );
  t.is(outcome.status, "SUCCESS");
});

test("the link's own code still selects its item after another item took the code", (t) => {
  const { change, outcome } = plan({ itemId: "tea", linkedItemId: "386", status: "INACTIVE" });
  t.deepEqual(change, { itemId: "tea", linkedItemId: "386", status: "INACTIVE" });
  t.deepEqual(outcome, success("tea"));
});

test("a row with only that code also selects the item", (t) => {
  const { change, outcome } = plan({ linkedItemId: "386", facings: "2" });
  t.deepEqual(change, { itemId: "tea", linkedItemId: "386", facings: "2" });
  t.deepEqual(outcome, success("tea"));
});

test("a change includes null, since null clears a field", (t) => {
  t.deepEqual(plan({ facings: null, forced_design_id: null }).change, { facings: null, forced_design_id: null });
});

for (const [what, row, origin] of [
  ["a forced design", { forced_design_id: key("large") }, "studio"],
  ["a designer link's design", { designId: key("large") }, "designer"],
  ["the design of new metadata", { design: { origin: "designer", designId: key("large") } }, "studio"],
] as const) {
  test(`${what} that does not fit is an ERROR that names the design and type and changes nothing`, (t) => {
    const { change, outcome } = plan({ ...row, facings: "2" }, origin);
    t.is(change, undefined);
    t.is(outcome.status, "ERROR");
    t.regex(outcome.errors.join(), /large".*1328/);
  });
}

test("a change includes the design of new metadata if it fits", (t) => {
  const design = { origin: "designer", designId: key("small") } as const;
  t.deepEqual(plan({ design }).change, { design });
});

test("a designId is ignored if the rules choose the design", (t) => {
  for (const origin of ["studio", "ecc"] as const) t.deepEqual(plan({ designId: key("large") }, origin).change, {});
});

test("a link beyond the positions of its label's model can be neither activated nor relinked", (t) => {
  for (const row of [{ status: "ACTIVE" as const }, { itemId: "milk" }]) {
    const { change, outcome } = plan(row, "studio", 2);
    t.is(change, undefined);
    t.regex(outcome.errors.join(), /no position 2: its number of positions is 2, counted from 0/);
  }
  t.is(plan({ status: "INACTIVE", facings: "1" }, "studio", 2).outcome.status, "SUCCESS");
});

test("a response that is sent back keeps the link's item even if its SIC belongs to another item now", (t) => {
  const link = { eslId: "A4", displayPosition: 2, itemId: "tea", linkedItemId: "385", origin: "studio" } as const;
  const planned = (row: Partial<LinkPatchRow>) => planLinkPatch({ linkId: "A4-2", ...row }, link, facts).change;
  t.is(planned({ itemId: "tea", linkedItemId: "385" })?.itemId, "tea");
  t.is(planned({ linkedItemId: "385" })?.itemId, "milk");
});
