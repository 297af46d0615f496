import { type Clause, type Field, fieldsOf, isNegative } from "../sentence/clauses.ts";
import { clauseHolds, type Values } from "../sentence/holds.ts";
import { readSentence } from "../sentence/read-sentence.ts";

/** A scenario in the trace of a trial. */
export interface Traced {
  id: string;
  isAsked: boolean;
  isDormant?: true;
  value: boolean;
  missing: readonly string[];
  error?: string;
}

/** Why a rule does not apply to an item. */
export type Why =
  | { kind: "lacks"; fields: readonly Field[] }
  | { kind: "lacksPaths"; paths: readonly string[] }
  | { kind: "clause"; clause: Clause; value: string | number | undefined }
  | { kind: "error"; detail: string }
  | { kind: "period" }
  | { kind: "otherwise" };

/** Returns why an evaluated rule does not apply: what the item lacks, or else the first condition that it does not meet. */
export function whyNot(traced: Traced, expression: string, values: Values): Why {
  if (traced.isDormant) return { kind: "period" };
  if (traced.error !== undefined) return { kind: "error", detail: traced.error };
  const sentence = readSentence(expression);
  const failed = sentence?.clauses.filter((clause) => !clauseHolds(clause, values)) ?? [];
  const lacking = failed
    .filter((clause) => clause.test !== "missing" && !isNegative(clause))
    .flatMap(fieldsOf)
    .filter((field) => values(field) === undefined);
  if (lacking.length > 0) return { kind: "lacks", fields: lacking };
  if (traced.missing.length > 0) return { kind: "lacksPaths", paths: traced.missing };
  const [clause] = failed;
  return clause ? { kind: "clause", clause, value: values(clause.field) } : { kind: "otherwise" };
}
