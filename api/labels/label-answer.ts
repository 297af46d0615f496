import type { Link, LinkAnswer } from "../../schemas/link.ts";
import {
  fieldsOf,
  fieldValue,
  type LabelFacts,
  type LabelField,
  type LabelProjection,
  type Value,
} from "./label-fields.ts";

/**
 * Returns a function that creates a label's response. Every field of the projection is present, and unknown values are
 * null. Only `device` and `batteryDaysLeft` may be absent, because most labels have none.
 */
export function createLabelAnswer(projection: LabelProjection, dateText: (date: Date) => string) {
  const fields = fieldsOf(projection);
  const shown = (value: Value) => (value instanceof Date ? dateText(value) : value);
  return (facts: LabelFacts): Record<string, unknown> => {
    const answer: Record<string, unknown> = {};
    for (const field of fields) {
      if (field === "links") answer.links = facts.links;
      else if (field === "positions") answer.positions = positionsOf(facts);
      else if (field === "lastPress") answer.lastPress = lastPressOf(facts, dateText);
      else if (field === "sensors") answer.sensors = sensorsOf(facts, dateText);
      else if (absentIfUnknown.has(field) && fieldValue(facts, field) === null) continue;
      else answer[field] = shown(fieldValue(facts, field));
    }
    return answer;
  };
}

const absentIfUnknown: ReadonlySet<LabelField> = new Set(["device", "batteryDaysLeft"]);

const positionsOf = ({ label: { manualPosition } }: LabelFacts) => (manualPosition ? { manual: manualPosition } : {});

const lastPressOf = ({ state }: LabelFacts, dateText: (date: Date) => string) =>
  state?.press ? { button: state.press.button, time: dateText(state.press.at) } : null;

const sensorsOf = ({ state }: LabelFacts, dateText: (date: Date) => string) =>
  Object.fromEntries(
    Object.entries(state?.sensors ?? {}).map(([name, { value, at }]) => [name, { value, time: dateText(at) }]),
  );

/** Fields of a link that the response needs; only ACTIVE links are shown. */
export const shownOfLink = ["eslId", "itemId", "linkedItemId", "displayPosition", "facings", "status"] as const;
export type ShownLink = Pick<Link, (typeof shownOfLink)[number]>;

/** A link in the response for an item or a label. */
export const linkAnswer = ({ eslId, itemId, linkedItemId, displayPosition, facings }: ShownLink): LinkAnswer => ({
  barcode: eslId,
  itemId,
  linkedItemId,
  displayPosition,
  facings: facings ?? null,
});
