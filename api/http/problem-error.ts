import type { Outage } from "../../queues/outage.ts";
import type { Fault } from "../../schemas/problem.ts";
import { type RefusalNotice, refusalText } from "../../schemas/refusal-notice.ts";

/** Every cause of an error answer: its stable name, status and title. Each has a page in docs/problems. */
export const problems = {
  "invalid-request": { status: 400, title: "The request is invalid" },
  "malformed-path": { status: 400, title: "The path cannot be decoded" },
  "malformed-body": { status: 400, title: "The body is not valid JSON" },
  "duplicate-field": { status: 400, title: "The body contains a field twice" },
  "malformed-authorization": { status: 400, title: "The Authorization header is malformed" },
  unauthenticated: { status: 401, title: "Authentication is required" },
  "invalid-token": { status: 401, title: "The access token is invalid" },
  "wrong-credentials": { status: 401, title: "The user name or password is wrong" },
  forbidden: { status: 403, title: "Access to this tenant or store is denied" },
  "insufficient-scope": { status: 403, title: "The token lacks a required scope" },
  "not-found": { status: 404, title: "The resource does not exist" },
  "unknown-path": { status: 404, title: "The path does not exist" },
  "unknown-store": { status: 404, title: "The store does not exist" },
  "unknown-tenant": { status: 404, title: "The tenant does not exist" },
  "no-login": { status: 404, title: "This server does not issue tokens" },
  "method-not-allowed": { status: 405, title: "The resource does not support this method" },
  "not-acceptable": { status: 406, title: "No acceptable media type is available" },
  "request-timeout": { status: 408, title: "The body was not received in time" },
  conflict: { status: 409, title: "The request conflicts with the current state" },
  "idempotency-key-in-use": { status: 409, title: "The first request with this key is still in progress" },
  "precondition-failed": { status: 412, title: "The precondition is not met" },
  "body-too-large": { status: 413, title: "The body is too large" },
  "unsupported-media-type": { status: 415, title: "The media type is not supported" },
  "idempotency-key-reused": { status: 422, title: "The key was used for a different request" },
  "too-many-requests": { status: 429, title: "Too many requests" },
  "too-much-waiting": { status: 429, title: "The tenant has too much work pending" },
  "too-many-failed-logins": { status: 429, title: "Too many failed logins" },
  "headers-too-large": { status: 431, title: "The headers are too large" },
  "internal-error": { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "A database is unavailable" },
  "issuer-unavailable": { status: 503, title: "The token issuer is unavailable" },
  busy: { status: 503, title: "The server is busy" },
} as const;

export type ProblemName = keyof typeof problems;

interface Extra {
  errors?: readonly Fault[];
  headers?: Readonly<Record<string, string>>;
  /** Of the database that cannot be used. */
  outage?: Outage;
}

/**
 * An error that is answered as a problem document; its message becomes the document's `detail`. A refusal that pages show
 * is a notice, so that they say it in their language.
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
