import type { Item } from "../../../schemas/item.ts";
import { demoDesigns, demoPack } from "../../../scripts/demo/designs.ts";
import { compilePack } from "../../../workers/evaluator/compile-pack.ts";
import { decide } from "../../../workers/evaluator/decide.ts";

const designs = new Map(demoDesigns.map(({ id, design }) => [`t/demo/designs/${id}`, design]));
const scenarios = compilePack(demoPack, (_, error) => {
  throw error;
});

/** The design that the demo's rules choose for an item on a label type; null where none fits. */
export function chosenFor(item: Item, type: number): string | null {
  const link = { status: "ACTIVE" as const };
  return decide({ link, item, type, scenarios, designs }, undefined)?.design_id ?? null;
}
