import { entityTag, isKnown, isMatched } from "../http/entity-tag.ts";
import { ProblemError } from "../http/problem-error.ts";
import type { Answer } from "../http/route.ts";

/** A header of the request; an absent one is empty. */
type Header = (name: string) => string;

/**
 * Throws `precondition-failed` where If-Match or If-None-Match do not hold (RFC 9110, sections 13.1.1 and 13.1.2). `shown`
 * is the answer of a read now. Called inside the write's compare-and-set, so that no other write comes in between.
 */
export function assertSeen(header: Header, shown: unknown, what: string): void {
  const ifMatch = header("if-match");
  const isThere = shown !== undefined;
  if (ifMatch !== "" && !(isThere && isMatched(ifMatch, tagOf(shown)))) {
    const detail = isThere ? `${what} has changed since it was read.` : `There is no ${what.replace(/^The /, "")}.`;
    throw new ProblemError("precondition-failed", detail);
  }
  const ifNoneMatch = header("if-none-match");
  if (ifNoneMatch !== "" && isThere && isKnown(ifNoneMatch, tagOf(shown)))
    throw new ProblemError("precondition-failed", `${what} is there already.`);
}

/** An answer with the ETag of `shown`, the answer of a read now. */
export const taggedAnswer = (status: number, shown: unknown, body: unknown = shown): Answer => ({
  status,
  body,
  headers: { etag: tagOf(shown) },
});

const tagOf = (shown: unknown): string => entityTag(JSON.stringify(shown));
