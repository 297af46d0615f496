import type { Link, LinkAnswer } from "../../schemas/link.ts";
import { fieldsOf, fieldValue, type LabelFacts, type LabelProjection, type Value } from "./label-facts.ts";

/** Shows labels: every field of the projection's level is there, null where it is unknown. */
export function createLabelAnswer(projection: LabelProjection, dateText: (date: Date) => string) {
  const fields = fieldsOf(projection);
  const shown = (value: Value) => (value instanceof Date ? dateText(value) : value);
  return (facts: LabelFacts): Record<string, unknown> => {
    const answer: Record<string, unknown> = {};
    for (const field of fields) {
      if (field === "links") answer.links = facts.links;
      else if (field === "positions") answer.positions = positionsOf(facts);
      else answer[field] = shown(fieldValue(facts, field));
    }
    return answer;
  };
}

const positionsOf = ({ label: { manualPosition } }: LabelFacts) => (manualPosition ? { manual: manualPosition } : {});

/** What must be read of a link to show it, if it is ACTIVE. */
export const shownOfLink = ["eslId", "itemId", "linkedItemId", "displayPosition", "facings", "status"] as const;
export type ShownLink = Pick<Link, (typeof shownOfLink)[number]>;

/** A link as an answer shows it. */
export const linkAnswer = ({ eslId, itemId, linkedItemId, displayPosition, facings }: ShownLink): LinkAnswer => ({
  barcode: eslId,
  itemId,
  linkedItemId,
  displayPosition,
  facings: facings ?? null,
});
