import type { IncomingMessage } from "node:http";
import { isUnavailable } from "../../records/mongodb/unavailable.ts";
import { ProblemError } from "../http/problem-error.ts";
import type { ProblemName } from "../http/problem-kinds.ts";
import type { Identify } from "./identify.ts";
import type { Permit } from "./verify-token.ts";

interface RecheckOptions {
  identify: Identify;
  request: IncomingMessage;
  /** Throws a ProblemError if the rights are insufficient for the request. */
  assertPermitted(permit: Permit): void;
  /** The current time in milliseconds. */
  clock?(): number;
}

/** Problems that do not show whether a caller still has its rights. */
const undecided: ReadonlySet<ProblemName> = new Set([
  "unavailable",
  "issuer-unavailable",
  "busy",
  "too-many-failed-logins",
]);
/** How long after their last confirmation a caller keeps its rights despite such a problem. */
const UNDECIDED_MS = 60_000;

/**
 * Whether the caller may still receive a long-lived response. Its token, session or user is identified again and checked
 * with its current rights.
 */
export function createRecheck(options: RecheckOptions): () => Promise<boolean> {
  const { identify, request, assertPermitted, clock = () => performance.now() } = options;
  let seenAt = clock();
  return async () => {
    try {
      assertPermitted(await identify(request));
      seenAt = clock();
      return true;
    } catch (error) {
      if (isUndecided(error)) return clock() - seenAt < UNDECIDED_MS;
      if (error instanceof ProblemError) return false;
      throw error;
    }
  };
}

const isUndecided = (error: unknown): boolean =>
  error instanceof ProblemError ? undecided.has(error.problem) : isUnavailable(error);
