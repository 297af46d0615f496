import { entityTag, isKnown, isMatched } from "./entity-tag.ts";
import { ProblemError } from "./problem-error.ts";
import type { Answer } from "./route.ts";

/** Returns a header of the request; an absent one is empty. */
type Header = (name: string) => string;

/**
 * Throws `precondition-failed` if If-Match or If-None-Match does not hold (RFC 9110, sections 13.1.1 and 13.1.2).
 * `shown` is the current representation. Called inside the write's compare-and-set, so that no other write can
 * intervene.
 */
export const assertSeen = (header: Header, shown: unknown, what: string): void =>
  assertTagSeen(header, shown === undefined ? undefined : tagOf(shown), what);

/** Like `assertSeen`, with the tag of the current representation. */
export function assertTagSeen(header: Header, tag: string | undefined, what: string): void {
  const ifMatch = header("if-match");
  if (ifMatch !== "" && !(tag !== undefined && isMatched(ifMatch, tag))) {
    const detail = tag ? `${what} has changed since it was read.` : `There is no ${what.replace(/^The /, "")}.`;
    throw new ProblemError("precondition-failed", detail);
  }
  const ifNoneMatch = header("if-none-match");
  if (ifNoneMatch !== "" && tag !== undefined && isKnown(ifNoneMatch, tag))
    throw new ProblemError("precondition-failed", `${what} already exists.`);
}

/** Creates a response with the ETag of `shown`, which is what a read would now return. */
export const taggedAnswer = (status: number, shown: unknown, body: unknown = shown): Answer => ({
  status,
  body,
  headers: { etag: tagOf(shown) },
});

const tagOf = (shown: unknown): string => entityTag(JSON.stringify(shown));
