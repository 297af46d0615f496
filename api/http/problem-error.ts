import type { Fault } from "../../schemas/problem.ts";

/** Every cause of an error answer: its stable name, status and title. Each has a page in docs/problems. */
export const problems = {
  "invalid-request": { status: 400, title: "The request is not valid" },
  "malformed-path": { status: 400, title: "The path cannot be decoded" },
  "malformed-body": { status: 400, title: "The body is not JSON" },
  "duplicate-field": { status: 400, title: "The body names a field twice" },
  "malformed-authorization": { status: 400, title: "The header Authorization cannot be read" },
  unauthenticated: { status: 401, title: "An access token is needed" },
  "invalid-token": { status: 401, title: "The access token is not valid" },
  "wrong-credentials": { status: 401, title: "The user name or the password is not right" },
  forbidden: { status: 403, title: "The caller may not use this tenant or store" },
  "insufficient-scope": { status: 403, title: "The token lacks a scope" },
  "not-found": { status: 404, title: "There is no such resource" },
  "unknown-path": { status: 404, title: "The path leads nowhere" },
  "unknown-store": { status: 404, title: "There is no such store" },
  "unknown-tenant": { status: 404, title: "There is no such tenant" },
  "no-login": { status: 404, title: "Tokens are not issued here" },
  "method-not-allowed": { status: 405, title: "The resource does not have this method" },
  "not-acceptable": { status: 406, title: "The answer has no media type that is accepted" },
  "request-timeout": { status: 408, title: "The body did not come in time" },
  conflict: { status: 409, title: "The request does not fit the present state" },
  "idempotency-key-in-use": { status: 409, title: "The first call with this key is not over yet" },
  "precondition-failed": { status: 412, title: "The resource is not as the caller knows it" },
  "body-too-large": { status: 413, title: "The body is too large" },
  "unsupported-media-type": { status: 415, title: "The body is not of a supported type" },
  "idempotency-key-reused": { status: 422, title: "The key belongs to another call" },
  "too-many-requests": { status: 429, title: "Too many calls were made" },
  "too-much-waiting": { status: 429, title: "Too much of the tenant waits already" },
  "too-many-failed-logins": { status: 429, title: "Too many logins have failed" },
  "headers-too-large": { status: 431, title: "The headers are too large" },
  "internal-error": { status: 500, title: "Something failed inside Shelfwire" },
  unavailable: { status: 503, title: "A store that is needed cannot be reached" },
  "issuer-unavailable": { status: 503, title: "The tokens' issuer cannot be reached" },
  busy: { status: 503, title: "Too much is asked at once" },
} as const;

export type ProblemName = keyof typeof problems;

interface Extra {
  errors?: readonly Fault[];
  headers?: Readonly<Record<string, string>>;
}

/** An error that is answered as a problem document; its message becomes the document's `detail`. */
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
