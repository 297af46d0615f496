import { checkPack } from "../../../domain/packs/check-pack.ts";
import type { PackOrder, ScenarioOrder } from "../../../schemas/pack.ts";

/** The tenant whose packs are checked. */
export const TENANT = "t/demo";
/** The keys of the tenant's designs. */
export const known = new Set(["t/demo/designs/shelf", "t/demo/designs/offer"]);
/** Checks a pack with these scenarios. */
export const check = (scenarios: ScenarioOrder[]) =>
  checkPack({ name: "Pack", scenarios } satisfies PackOrder, TENANT, (key) => known.has(key));
/** A scenario with a condition and a design. */
export const scenario = (name: string, more: Partial<ScenarioOrder> = {}): ScenarioOrder => ({
  name,
  cel_expression: 'item.priceKind == "special"',
  design_ids: ["shelf"],
  ...more,
});

/** Scenarios in groups of a size that a pack's schema allows. */
export const inGroups = (count: number, make: (index: number) => ScenarioOrder): ScenarioOrder[] =>
  Array.from({ length: Math.ceil(count / 1000) }, (_, group) =>
    scenario(`group ${group}`, {
      children: Array.from({ length: Math.min(999, count - group * 999) }, (__, index) => make(group * 999 + index)),
    }),
  );
