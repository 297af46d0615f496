import type { RuleName } from "./rules.ts";

/** What was sent, what a rule expects, and what arrived. */
export interface Evidence {
  sent: string;
  expected: string;
  came: string;
}

/** The result of a rule. */
export type Verdict = { rule: RuleName } & (
  | { result: "passed" }
  | ({ result: "failed" } & Evidence)
  | { result: "not tried"; why: string }
);

/** Thrown by the trial of a rule that does not hold. */
export class Broken extends Error {
  override readonly name = "Broken";
  readonly evidence: Evidence;

  constructor(evidence: Evidence) {
    super(`${evidence.sent}: ${evidence.came}`);
    this.evidence = evidence;
  }
}

/** Thrown by the trial of a rule that could not be tried. The message says why. */
export class NotTried extends Error {
  override readonly name = "NotTried";
}
