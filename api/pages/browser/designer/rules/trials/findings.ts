import { type Known, unknownIn } from "../conditions/known-properties.ts";
import { text } from "../desk.ts";
import type { Row } from "../pack-tree.ts";
import type { Finding } from "./counts.ts";

/** Returns warnings about properties that a condition reads but no item has. */
export const warningsOf = ({ rule, pointer }: Row, known: readonly Known[]): Finding[] =>
  unknownIn(rule.cel_expression ?? "", known).map(({ name, line, column }) => ({
    ...{ pointer: `${pointer}/cel_expression`, line, column, isWarning: true as const },
    detail: text("rules.unknown", { name }),
  }));

/** Returns the faults of a rule, except those of the rules inside it; `pointers` are the places of all rules. */
export function faultsAt(errors: readonly Finding[], pointer: string, pointers: readonly string[]): string[] {
  const inner = pointers.filter((one) => one.startsWith(`${pointer}/`));
  return errors
    .filter(
      (one) => one.pointer.startsWith(`${pointer}/`) && !inner.some((below) => one.pointer.startsWith(`${below}/`)),
    )
    .map(({ detail, line, column }) =>
      line === undefined || column === undefined ? detail : text("rules.line", { line, column, detail }),
    );
}
