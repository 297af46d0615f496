import type { Fault } from "../schemas/problem.ts";

/** Every cause of an error answer: its stable name, its status and its title. docs/integrators.md tells of each. */
export const problems = {
  "invalid-request": { status: 400, title: "The request is not valid" },
  "malformed-body": { status: 400, title: "The body is not JSON" },
  unauthenticated: { status: 401, title: "A valid access token is needed" },
  forbidden: { status: 403, title: "The token does not allow this" },
  "not-found": { status: 404, title: "There is no such resource" },
  "method-not-allowed": { status: 405, title: "The resource does not have this method" },
  conflict: { status: 409, title: "The request does not fit the present state" },
  "body-too-large": { status: 413, title: "The body is too large" },
  "unsupported-media-type": { status: 415, title: "The body is not of a supported type" },
  "internal-error": { status: 500, title: "Something failed inside Shelfwire" },
  unavailable: { status: 503, title: "A store that is needed cannot be reached" },
} as const;

export type ProblemName = keyof typeof problems;

interface Extra {
  errors?: readonly Fault[];
  headers?: Readonly<Record<string, string>>;
}

/** An error that the caller should see, as a problem document. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: ProblemName;
  readonly extra: Extra;
  constructor(problem: ProblemName, detail: string, extra: Extra = {}) {
    super(detail);
    this.problem = problem;
    this.extra = extra;
  }
}
