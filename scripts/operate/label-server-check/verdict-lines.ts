import { type RuleName, ruleNames, rules } from "./rules.ts";
import type { Verdict } from "./verdict.ts";

/** Returns a verdict as lines for people. */
export function verdictLines(verdict: Verdict): string[] {
  const name = nameOf(verdict.rule);
  if (verdict.result === "passed") return [`passed     ${name}`];
  if (verdict.result === "not tried") return [`not tried  ${name}: ${verdict.why}`];
  const { sent, expected, came } = verdict;
  return [
    `failed     ${name}: ${rules[verdict.rule]}`,
    `           sent      ${sent}`,
    `           expected  ${expected}`,
    `           came      ${came}`,
  ];
}

/** Says how many rules passed, failed and were not tried. */
export function countLine(verdicts: readonly Verdict[]): string {
  const count = (result: Verdict["result"]) => verdicts.filter((one) => one.result === result).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${count("not tried")} not tried`;
}

/** Returns the rule with its number on the page for implementers. */
const nameOf = (rule: RuleName): string => `${ruleNames.indexOf(rule) + 1} ${rule}`;
