import test from "ava";
import { type ComparedLink, createComparison, scenarioNames } from "../../../domain/packs/compare-packs.ts";
import type { CommunicationPack, Scenario } from "../../../schemas/design.ts";

const scenario = (id: string, children: Scenario[] = []): Scenario => ({
  id,
  name: `the ${id}`,
  cel_expression: "true",
  design_ids: ["new"],
  children,
});
const present: Pick<CommunicationPack, "scenarios"> = { scenarios: [scenario("offer", [scenario("inner")])] };
const proposed = scenarioNames({ scenarios: [scenario("sale")] });
const exampleOf = (barcode: string) => ({ storeId: "main", barcode, itemId: `item of ${barcode}`, labelType: 1328 });
const link = (label: string, present?: ComparedLink["present"], isActive = true): ComparedLink => ({
  label,
  example: exampleOf(label),
  next: isActive ? { design_id: "new", scenarioId: "sale" } : undefined,
  present,
});

test("a trial counts the labels whose design changes, by scenario and design, most frequent first", (t) => {
  const comparison = createComparison(proposed, scenarioNames(present));
  const none = { design_id: null, scenarioId: undefined };
  const old = { design_id: "old", scenarioId: "offer" };
  for (const compared of [
    link("A", none),
    link("A", old),
    link("A", old),
    link("B", old),
    link("C", { design_id: "new", scenarioId: "offer" }),
    link("D"),
    link("E", old, false),
  ])
    comparison.add(compared);
  const to = { scenario: "the sale", design_id: "new" };
  t.deepEqual(comparison.result(), {
    checked: 5,
    labels: 2,
    changes: [
      { from: { scenario: "the offer", design_id: "old" }, to, labels: 2, examples: ["A", "B"].map(exampleOf) },
      { from: { scenario: null, design_id: null }, to, labels: 1, examples: [exampleOf("A")] },
    ],
    scenarios: [{ id: "sale", labels: 3 }],
  });
});

test("a nested scenario has a name too, and a scenario that the pack no longer has is shown by its ID", (t) => {
  const nameOf = scenarioNames(present);
  t.deepEqual(["offer", "inner", "gone", undefined].map(nameOf), ["the offer", "the inner", "gone", null]);
  t.is(scenarioNames(undefined)("gone"), "gone");
});
