import type { Outage } from "../../queues/outage.ts";
import type { Fault } from "../../schemas/problem.ts";
import { type RefusalNotice, refusalText } from "../../schemas/refusal-notice.ts";
import type { ProblemName } from "./problem-kinds.ts";

interface Extra {
  errors?: readonly Fault[];
  headers?: Readonly<Record<string, string>>;
  /** Details of the outage if a database is unavailable. */
  outage?: Outage;
}

/**
 * An error whose response is a problem document; its message becomes the document's `detail`. A refusal that pages show
 * is a notice, so that pages can show it in their language.
 */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: ProblemName;
  readonly extra: Extra;
  readonly notice: RefusalNotice | undefined;
  constructor(problem: ProblemName, detail: string | RefusalNotice, extra: Extra = {}) {
    super(typeof detail === "string" ? detail : refusalText(detail));
    this.notice = typeof detail === "string" ? undefined : detail;
    this.problem = problem;
    this.extra = extra;
  }
}
