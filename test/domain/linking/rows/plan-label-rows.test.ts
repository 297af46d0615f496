import test from "ava";
import { UNSTATED_TYPE } from "../../../../domain/linking/barcodes/barcode-scheme.ts";
import { planRows } from "../../../../domain/linking/plan-label-rows.ts";
import type { Label, LabelPatch } from "../../../../schemas/label.ts";
import type { RowStatus } from "../../../../schemas/request.ts";
import { aStore, BARCODE, label, stamped } from "./store-facts.ts";

const plan = (row: Partial<LabelPatch>, facts = aStore()) => planRows(stamped(row), facts)[0];
const withLabel = (fields: Partial<Label>, more = {}) =>
  aStore({ labels: new Map([[BARCODE, label(BARCODE, fields)]]), ...more });
const tripleWith = (...positions: number[]) =>
  withLabel({ modelName: "triple" }, { occupied: new Map([[BARCODE, positions]]) });

const refusals: [string, Partial<LabelPatch>, RowStatus, RegExp, ReturnType<typeof aStore>?][] = [
  ["a barcode outside every scheme", { barcode: "nonsense" }, "UNKNOWN", /"nonsense"/],
  ["an unknown label type", { barcode: "L9999-1" }, "UNKNOWN", /9999/],
  ["a label type without models", { barcode: "L1340-1" }, "ERROR", /1340/],
  ["an unknown model", { modelName: "huge" }, "ERROR", /"huge"/],
  ["a model for other label types", { modelName: "tiny" }, "ERROR", /"tiny".*1628/],
  ["a deleted model of the label", {}, "ERROR", /"gone"/, withLabel({ modelName: "gone" })],
  ["fewer positions than are occupied", { modelName: "single" }, "ERROR", /position 1 /, tripleWith(0, 1)],
  ["a transceiver outside every department", { homeTrx: "T9" }, "ERROR", /"T9"/],
  ["a removed transceiver of the label", {}, "ERROR", /"T8"/, withLabel({ homeTrx: "T8" })],
  ["an unknown department", { linkDepartment: "cellar" }, "ERROR_NO_LINK_DEPARTMENTS", /"cellar"/],
  ["a department without transceivers", { linkDepartment: "roof" }, "ERROR_NO_LINK_DEPARTMENTS", /transceiver/],
  [
    "a store without transceivers",
    {},
    "ERROR_NO_LINK_DEPARTMENTS",
    /transceiver/,
    aStore({ store: { linkDepartments: [] } }),
  ],
];

for (const [what, row, status, error, facts] of refusals) {
  test(`${status}: ${what} refuses the row, its fields and its links`, (t) => {
    const { barcode = BARCODE } = row;
    const bare = plan(row, facts);
    t.is(bare?.label, undefined);
    t.like(bare?.outcomes, { length: 1, 0: { barcode, status } });
    t.regex(bare?.outcomes[0]?.errors[0] ?? "", error);

    const links = [{ itemId: "milk" }, { linkedItemId: "385", displayPosition: 1 }];
    const linking = plan({ ...row, links }, facts);
    t.is(linking?.label, undefined);
    t.deepEqual(linking?.links, []);
    const places = [
      { barcode, itemId: "milk", displayPosition: 0, status },
      { barcode, itemId: "385", displayPosition: 1, status },
    ];
    t.like(linking?.outcomes, { length: 2, 0: places[0], 1: places[1] });
    for (const { errors } of linking?.outcomes ?? []) t.regex(errors.join(), error);
  });
}

test("a row without links has one outcome", (t) => {
  for (const links of [undefined, null, []]) {
    t.deepEqual(plan({ plLocation: "aisle 4", links })?.outcomes, [
      { barcode: BARCODE, status: "SUCCESS", errors: [] },
    ]);
  }
});

test("a new label takes the named model, or else the first of its type", (t) => {
  t.deepEqual(plan({ modelName: "triple" })?.label, { type: 1628, modelName: "triple" });
  t.deepEqual(plan({})?.label, { type: 1628, modelName: "single" });
  t.deepEqual(plan({ modelName: "" })?.label, { type: 1628, modelName: "single" });
  t.deepEqual(plan({ barcode: "L1627-1" })?.label, { type: 1627, modelName: "tiny" });
});

test("an existing label keeps its model if the row names none", (t) => {
  const facts = withLabel({ modelName: "triple" });
  for (const modelName of [undefined, null, ""]) t.is(plan({ modelName }, facts)?.label?.modelName, "triple");
});

test("a model with as many positions as are occupied is accepted", (t) => {
  t.is(plan({ modelName: "single" }, tripleWith(0))?.outcomes[0]?.status, "SUCCESS");
  t.is(plan({ modelName: "triple" }, tripleWith(0, 1, 2))?.outcomes[0]?.status, "SUCCESS");
});

test("occupied positions of other labels do not matter", (t) => {
  const facts = withLabel({ modelName: "triple" }, { occupied: new Map([["L1628-2", [2]]]) });
  t.is(plan({ modelName: "single" }, facts)?.outcomes[0]?.status, "SUCCESS");
});

test("the row's fields take precedence over the label's", (t) => {
  const facts = withLabel({ homeTrx: "T8", linkDepartment: "cellar" });
  t.is(plan({ homeTrx: "T1" }, facts)?.outcomes[0]?.status, "SUCCESS");
  const departed = withLabel({ linkDepartment: "cellar" });
  t.is(plan({ linkDepartment: "floor" }, departed)?.outcomes[0]?.status, "SUCCESS");
  t.is(plan({}, departed)?.outcomes[0]?.status, "ERROR_NO_LINK_DEPARTMENTS");
});

test("a refused row does not stop other rows", (t) => {
  const plans = planRows(stamped({ modelName: "huge" }, { barcode: "nonsense" }, { barcode: "L1628-2" }), aStore());
  t.deepEqual(
    plans.map(({ outcomes }) => outcomes[0]?.status),
    ["ERROR", "UNKNOWN", "SUCCESS"],
  );
});

test("a row sees the label as changed by the rows before it", (t) => {
  const plans = planRows(
    stamped(
      { modelName: "triple", plLocation: "aisle 4", linkDepartment: "1" },
      { links: [{ itemId: "milk", displayPosition: 2 }] },
      { barcode: "L1628-2", links: [{ itemId: "milk", displayPosition: 2 }] },
    ),
    aStore(),
  );
  t.is(plans[1]?.label?.modelName, "triple");
  t.like(plans[1]?.links[0], { displayPosition: 2, location: "aisle 4" });
  t.is(plans[2]?.outcomes[0]?.status, "ERROR");
});

test("a row does not see the changes of a refused earlier row", (t) => {
  const refused = { modelName: "triple", plLocation: "aisle 4", homeTrx: "T9" };
  const [, after] = planRows(stamped(refused, { links: [{ itemId: "milk" }] }), aStore());
  t.is(after?.label?.modelName, "single");
  t.is(after?.links[0]?.location, undefined);
});

test("planning does not modify the given labels", (t) => {
  const facts = withLabel({ plLocation: "aisle 1" });
  const before = structuredClone(facts.labels);
  planRows(stamped({ plLocation: "aisle 2" }, { barcode: "L1628-2" }), facts);
  t.deepEqual(facts.labels, before);
});

test("a model with too few positions for the links of an earlier row is refused", (t) => {
  const [, , last] = planRows(
    stamped({ modelName: "triple" }, { links: [{ itemId: "milk", displayPosition: 2 }] }, { modelName: "single" }),
    aStore(),
  );
  t.is(last?.outcomes[0]?.status, "ERROR");
});

test("a department named by a row must exist, even with a homeTrx", (t) => {
  t.is(plan({ homeTrx: "T1", linkDepartment: "attic" })?.outcomes[0]?.status, "ERROR_NO_LINK_DEPARTMENTS");
});

test("homeTrx can be cleared if a department reaches the label without it", (t) => {
  const cleared = (facts: ReturnType<typeof aStore>) => plan({ clears: "homeTrx" }, facts)?.outcomes[0]?.status;
  t.is(cleared(withLabel({ homeTrx: "T1", linkDepartment: "1" })), "SUCCESS");
  t.is(cleared(withLabel({ homeTrx: "T1", linkDepartment: "2" })), "ERROR_NO_LINK_DEPARTMENTS");
  t.is(cleared(aStore()), "UNKNOWN", "no label is created");
});

const MAC = "0000021F3C5A3B12";
const withMacs = (labels: ReadonlyMap<string, Label> = new Map()) =>
  aStore({ readType: (barcode) => (barcode === MAC ? UNSTATED_TYPE : 1628), labels });

test("a new label whose barcode contains no type takes the named model's type if the model has only one", (t) => {
  t.deepEqual(plan({ barcode: MAC, modelName: "triple" }, withMacs())?.label, { type: 1628, modelName: "triple" });
  for (const modelName of ["single", "huge", "", undefined]) {
    const refused = plan({ barcode: MAC, modelName }, withMacs());
    t.is(refused?.label, undefined);
    t.like(refused?.outcomes[0], { status: "UNKNOWN", notices: [{ code: "LABEL_TYPE_UNSTATED" }] });
  }
});

test("later rows of a label whose barcode contains no type need no model, and the label keeps its type", (t) => {
  const known = withMacs(new Map([[MAC, label(MAC, { type: 1628, modelName: "triple" })]]));
  t.deepEqual(plan({ barcode: MAC }, known)?.label, { type: 1628, modelName: "triple" });
  t.deepEqual(plan({ barcode: MAC, modelName: "single" }, known)?.label, { type: 1628, modelName: "single" });
  t.like(plan({ barcode: MAC, modelName: "tiny" }, known)?.outcomes[0], { notices: [{ code: "MODEL_UNFIT" }] });
  const [, second] = planRows(stamped({ barcode: MAC, modelName: "triple" }, { barcode: MAC }), withMacs());
  t.deepEqual(second?.label, { type: 1628, modelName: "triple" });
});
