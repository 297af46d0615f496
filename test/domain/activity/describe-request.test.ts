import test from "ava";
import { describeRequest } from "../../../domain/activity/describe-request.ts";
import type { HoldState } from "../../../schemas/held-request.ts";
import type { KeptOutcome, Outcome } from "../../../schemas/request.ts";

const outcome = (fields: Partial<Outcome>): Outcome => ({ status: "SUCCESS", errors: [], ...fields });
const described = (
  operation: string,
  rows: readonly unknown[],
  outcomes: readonly KeptOutcome[] = [],
  more: Partial<Parameters<typeof describeRequest>[0]> = {},
) => {
  const content = describeRequest({
    operation,
    number: 7,
    index: 0,
    chunks: 1,
    drawnAt: new Date("2026-03-03T05:00:00Z"),
    cause: { call: "a", request: 7, actor: { kind: "till", id: "till-7", channel: "interface" } },
    rows,
    outcomes,
    ...more,
  });
  return { ...content, rows: JSON.parse(content.rows) };
};

test("an entry names the actor, the request, the call and the time at which the request was accepted", (t) => {
  t.like(described("patch-items", []), {
    at: "2026-03-03T05:00:00.000Z",
    actor: { kind: "till", id: "till-7", channel: "interface" },
    request: 7,
    call: "a",
    status: "DONE",
  });
});

test("an entry keeps an item row's price, time and field names, but no other values", (t) => {
  const row = { itemId: "milk", price: "1.09", validFrom: "2026-03-04 06:00:00", properties: { cost: "0.70" } };
  const { rows, items } = described("patch-items", [row]);
  t.deepEqual(rows, [
    { itemId: "milk", price: "1.09", validFrom: "2026-03-04 06:00:00", fields: ["price", "properties"] },
  ]);
  t.deepEqual(items, ["milk"]);
});

for (const [operation, row, outcomes, items, labels] of [
  [
    "patch-labels",
    { barcode: "A", links: [{ linkedItemId: "385" }] },
    [{ barcode: "A", itemId: "milk" }],
    ["385", "milk"],
    ["A"],
  ],
  ["patch-links", { linkId: "A-0", status: "INACTIVE" }, [], [], ["A"]],
  ["unlink", { itemId: "milk" }, [{ itemId: "milk", barcode: "A" }], ["milk"], ["A"]],
  ["refresh-labels", "A", [], [], ["A"]],
  ["store-links", { itemIds: ["milk", "tea"], operation: "LINK" }, [], ["milk", "tea"], []],
  ["apply-scheduled", { until: "2026-03-03T05:00:00Z" }, [{ itemId: "milk" }], ["milk"], []],
  ["remove-sics", { sic: "385" }, [{ itemId: "milk", sic: "385" }], ["milk"], []],
] as const)
  test(`an entry is found by its items and labels: ${operation}`, (t) => {
    const found = described(operation, [row], outcomes.map(outcome));
    t.deepEqual([found.items, found.labels], [[...items], [...labels]]);
  });

test("a failed row is marked, and the entry says whether all rows failed", (t) => {
  const rows = [{ itemId: "milk" }, { itemId: "tea" }];
  const [milk, tea] = [outcome({ itemId: "milk", status: "ERROR" }), outcome({ itemId: "tea", status: "PARTIAL" })];
  t.like(described("patch-items", rows, [milk, outcome({ itemId: "tea" })]), {
    status: "PARTIAL",
    rows: [{ itemId: "milk", failed: "ERROR" }, { itemId: "tea" }],
  });
  t.like(described("patch-items", rows, [milk, tea]), { status: "PARTIAL" });
  t.like(described("patch-items", rows.slice(0, 1), [milk]), { status: "FAILED" });
  t.is(described("patch-items", rows, [{ store: "t/demo/s/other", number: 3 }]).status, "DONE");
});

test("a held request is recorded as held and, once it is decided, with the outcome and the time of the decision", (t) => {
  const rows = [{ itemId: "milk", price: "9.00" }];
  const appliedAt = new Date("2026-03-03T09:00:00Z");
  const refused = [outcome({ itemId: "milk", status: "ERROR" })];
  const of = (held: HoldState) => described("patch-items", rows, refused, { held, appliedAt });
  t.like(of("WAITING"), { status: "HELD", at: "2026-03-03T05:00:00.000Z", decision: undefined });
  t.deepEqual(of("WAITING").rows, [{ itemId: "milk", price: "9.00", fields: ["price"] }]);
  t.like(of("EXPIRED"), { status: "FAILED", at: "2026-03-03T09:00:00.000Z", decision: "EXPIRED" });
  t.is(of("EXPIRED").rows[0].failed, "ERROR");
});
