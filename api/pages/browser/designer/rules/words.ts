import type { Texts } from "../../texts.ts";
import type { Clause, Field, Sentence } from "./sentence/clauses.ts";
import { spokenName } from "./trials/shop.ts";
import type { Why } from "./trials/why.ts";

/** Returns a field's name in the page's language; a retailer's own property is named as stored. */
export const fieldName = ({ key }: Field, text: Texts): string => text(`rules.field.${key}`) || spokenName(key);

/** Returns a clause in words: "price below 9.99". */
function clauseText(clause: Clause, text: Texts): string {
  const subject = `${fieldName(clause.field, text)} ${text(`rules.test.${clause.test}`)}`;
  if ("values" in clause)
    return `${subject} ${clause.values.map((value) => value || "“”").join(` ${text("rules.or")} `)}`;
  if ("text" in clause) return `${subject} ${clause.text}`;
  if (!("amount" in clause)) return subject;
  const { amount } = clause;
  if ("number" in amount) return `${subject} ${amount.number}`;
  return `${subject} ${text("rules.percent", { percent: amount.percent, field: fieldName(amount.of, text) })}`;
}

/** Returns the text of a parsed sentence: its clauses, and the word that joins them. */
export const sentenceText = ({ join, clauses }: Sentence, text: Texts): string =>
  clauses.length === 0
    ? text("rules.always")
    : clauses.map((clause) => clauseText(clause, text)).join(` ${text(`rules.${join}`)} `);

/** Returns in words why a rule does not apply to an item. */
export function whyText(why: Why, text: Texts): string {
  switch (why.kind) {
    case "lacks":
      return text("rules.lacks", { what: why.fields.map((field) => fieldName(field, text)).join(", ") });
    case "lacksPaths":
      return text("rules.lacks", { what: why.paths.map((path) => spokenName(path.replace(/^\w+\./, ""))).join(", ") });
    case "clause":
      return why.value === undefined
        ? text("rules.notIf", { clause: clauseText(why.clause, text) })
        : text("rules.because", { what: fieldName(why.clause.field, text), value: `${why.value}` });
    case "error":
      return text("rules.fault", { detail: why.detail });
    case "period":
      return text("rules.notNow");
    default:
      return text("rules.doesNot");
  }
}
