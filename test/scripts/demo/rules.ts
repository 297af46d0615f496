import { compilePack } from "../../../domain/packs/compile-pack.ts";
import { decide } from "../../../domain/packs/decide-design.ts";
import { createPackEvaluator } from "../../../domain/packs/pack-evaluator.ts";
import type { Item } from "../../../schemas/item.ts";
import { demoDesigns, demoPack } from "../../../scripts/demo/designs.ts";

const designs = new Map(demoDesigns.map(({ id, design }) => [`t/demo/designs/${id}`, design]));
const compiled = compilePack(demoPack, (_, error) => {
  throw error;
});
const chooseScenario = createPackEvaluator(compiled, ({ name }, error) => {
  throw new Error(`${name}: ${error}`);
});

/** Returns the design that the demo's rules choose for an item on a label type; null if none fits. */
export function chosenFor(item: Item, type: number): string | null {
  const link = { status: "ACTIVE" as const };
  return decide({ link, item, type, chooseScenario, designs }, undefined)?.design_id ?? null;
}
