import test from "ava";
import fc from "fast-check";
import { planRows } from "../../../../domain/linking/plan-label-rows.ts";
import type { LabelPatch } from "../../../../schemas/label.ts";
import type { LinkRow } from "../../../../schemas/link.ts";
import type { RowStatus } from "../../../../schemas/request.ts";
import { aStore, BARCODE, label, stamped } from "./store-facts.ts";

const plan = (row: Partial<LabelPatch>, facts = aStore()) =>
  planRows(stamped({ modelName: "triple", ...row }), facts)[0];

test("a link succeeds with the item that its code selects", (t) => {
  const planned = plan({ links: [{ linkedItemId: "385", displayPosition: 1, facings: "2" }] });
  t.deepEqual(planned?.outcomes, [
    { barcode: BARCODE, itemId: "milk", displayPosition: 1, status: "SUCCESS", errors: [] },
  ]);
  t.deepEqual(planned?.links, [
    { eslId: BARCODE, displayPosition: 1, itemId: "milk", linkedItemId: "385", facings: "2" },
  ]);
});

const codes: [string, LinkRow, string | undefined, string][] = [
  ["an item ID without another code is the code", { itemId: "milk" }, "milk", "milk"],
  ["linkedItemId is preferred to itemId", { itemId: "bread", linkedItemId: "385" }, "milk", "385"],
  ["an unknown linkedItemId does not fall back to itemId", { itemId: "milk", linkedItemId: "0" }, undefined, "0"],
  ["an empty linkedItemId counts as absent", { itemId: "bread", linkedItemId: "" }, "bread", "bread"],
  ["a null linkedItemId counts as absent", { itemId: "bread", linkedItemId: null }, "bread", "bread"],
  ["itemId may be a SIC", { itemId: "385" }, "milk", "385"],
  ["an empty itemId next to a code is ignored", { itemId: "", linkedItemId: "bread" }, "bread", "bread"],
];
for (const [rule, link, itemId, code] of codes) {
  test(rule, (t) => {
    const planned = plan({ links: [link] });
    if (itemId === undefined) {
      t.like(planned?.outcomes[0], { itemId: code, status: "ITEM_NOT_FOUND" });
      t.regex(planned?.outcomes[0]?.errors[0] ?? "", new RegExp(`"${code}"`));
      t.deepEqual(planned?.links, []);
    } else {
      t.like(planned?.outcomes[0], { itemId, status: "SUCCESS" });
      t.like(planned?.links[0], { itemId, linkedItemId: code });
    }
  });
}

test("a row of POST /links sets its design, and an unsuitable design is an ERROR", (t) => {
  const design = { origin: "studio", forced_design_id: "t/demo/designs/offer" } as const;
  const canvasId = "t/demo/canvasdesigns/c";
  const withDesign = (type: number) =>
    aStore({ designs: new Map([[design.forced_design_id, { canvasId, compatible_esltype_ids: [type] }]]) });
  const links = [{ itemId: "milk", design }];
  t.deepEqual(plan({ links }, withDesign(1628))?.links[0]?.design, design);
  t.false("design" in (plan({ links: [{ itemId: "milk" }] })?.links[0] ?? {}));
  const refused = plan({ links }, withDesign(1340));
  t.deepEqual(refused?.links, []);
  t.like(refused?.outcomes[0], { status: "ERROR" });
});

const bad: [string, LinkRow, RowStatus, RegExp][] = [
  ["an unknown item", { itemId: "eggs" }, "ITEM_NOT_FOUND", /"eggs"/],
  ["a position out of range", { itemId: "milk", displayPosition: 3 }, "ERROR", /number of positions is 3/],
  ["a link that names another label", { itemId: "milk", barcode: "L1628-2" }, "ERROR", /"L1628-2".*"L1628-1"/],
];
for (const [what, link, status, error] of bad) {
  test(`${status}: ${what} blocks neither the label's fields nor its other links`, (t) => {
    const planned = plan({
      plLocation: "aisle 4",
      links: [{ itemId: "bread" }, link, { itemId: "milk", displayPosition: 2 }],
    });
    t.deepEqual(planned?.label, { type: 1628, modelName: "triple" });
    t.deepEqual(
      planned?.outcomes.map((outcome) => outcome.status),
      ["SUCCESS", status, "SUCCESS"],
    );
    t.regex(planned?.outcomes[1]?.errors[0] ?? "", error);
    t.deepEqual(
      planned?.links.map(({ itemId, displayPosition }) => [itemId, displayPosition]),
      [
        ["bread", 0],
        ["milk", 2],
      ],
    );
  });
}

test("a link without a position is at position 0", (t) => {
  for (const displayPosition of [undefined, null, 0]) {
    const planned = plan({ links: [{ itemId: "milk", displayPosition }] });
    t.is(planned?.links[0]?.displayPosition, 0);
    t.is(planned?.outcomes[0]?.displayPosition, 0);
  }
});

test("a link without a barcode, or with the row's own, belongs to the row", (t) => {
  for (const barcode of [undefined, null, "", BARCODE]) {
    t.is(plan({ links: [{ itemId: "milk", barcode }] })?.outcomes[0]?.status, "SUCCESS");
  }
});

test("a link has the row's location, or else the label's", (t) => {
  const links = [{ itemId: "milk" }];
  const facts = aStore({ labels: new Map([[BARCODE, label(BARCODE, { plLocation: "aisle 1" })]]) });
  t.is(plan({ links, plLocation: "aisle 4" }, facts)?.links[0]?.location, "aisle 4");
  for (const plLocation of [undefined, null, ""]) {
    t.is(plan({ links, plLocation }, facts)?.links[0]?.location, "aisle 1");
  }
  t.false("location" in (plan({ links })?.links[0] ?? {}));
});

test("empty facings count as absent", (t) => {
  for (const facings of [undefined, null, ""]) {
    t.false("facings" in (plan({ links: [{ itemId: "milk", facings }] })?.links[0] ?? {}));
  }
});

test("a link's position must exist on the model that its row names", (t) => {
  const last = [{ itemId: "milk", displayPosition: 2 }];
  t.is(plan({ links: last })?.outcomes[0]?.status, "SUCCESS");
  t.is(plan({ links: last, modelName: "single" })?.outcomes[0]?.status, "ERROR");
});

const link = fc.record({
  linkedItemId: fc.constantFrom("milk", "385", "bread", "eggs"),
  displayPosition: fc.nat({ max: 4 }),
});
const row = fc.record({
  barcode: fc.constantFrom(BARCODE, "L1628-2", "L1627-1", "L9999-1", "nonsense"),
  links: fc.array(link, { maxLength: 4 }),
});

test("each link has one result at its index, a row without links has one, and only successful links are written", (t) => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
      const plans = planRows(stamped(...rows), aStore());
      t.is(plans.length, rows.length);
      for (const [position, { barcode, links }] of rows.entries()) {
        const { outcomes = [], links: written = [] } = plans[position] ?? {};
        t.is(outcomes.length, Math.max(1, links.length));
        t.true(outcomes.every((outcome) => outcome.barcode === barcode));
        t.deepEqual(
          links.map(({ displayPosition }) => displayPosition),
          outcomes.flatMap(({ displayPosition }) => displayPosition ?? []),
        );
        t.true(outcomes.every(({ status, errors }) => (status === "SUCCESS") === (errors.length === 0)));
        const linked = links.filter((_, index) => outcomes[index]?.status === "SUCCESS");
        t.deepEqual(
          written.map(({ linkedItemId, displayPosition }) => ({ linkedItemId, displayPosition })),
          linked,
        );
      }
    }),
  );
});

test("a response that is sent back keeps its item even if its SIC belongs to another item or none now", (t) => {
  const read = { itemId: "bread", linkedItemId: "385" };
  const facts = aStore({ links: new Map([[`${BARCODE}-0`, { ...read, status: "ACTIVE" }]]) });
  const itemOf = (row: object, stored = facts) => planRows(stamped({ links: [row] }), stored)[0]?.links[0]?.itemId;
  t.is(itemOf(read), "bread");
  t.is(itemOf(read, { ...facts, itemOf: () => undefined }), "bread");
  t.is(itemOf({ linkedItemId: "385" }), "milk", "the code alone creates the link");
  t.is(itemOf({ ...read, itemId: "butter" }), "milk");
  t.is(itemOf({ ...read, displayPosition: 0 }, aStore()), "milk");
  const ended = aStore({ links: new Map([[`${BARCODE}-0`, { ...read, status: "DELETED" }]]) });
  t.is(itemOf(read, ended), "milk");
});

test("a row that repeats a link which an earlier row of its request replaced is a separate link", (t) => {
  const read = { itemId: "bread", linkedItemId: "385" };
  const facts = aStore({ links: new Map([[`${BARCODE}-0`, { ...read, status: "ACTIVE" }]]) });
  const plans = planRows(stamped({ links: [{ itemId: "milk" }] }, { links: [read] }), facts);
  t.deepEqual(
    plans.map(({ links }) => links[0]?.itemId),
    ["milk", "milk"],
  );
});
