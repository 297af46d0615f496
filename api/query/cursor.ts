import { Type } from "typebox";
import { compileCheck } from "../../schemas/validate.ts";
import { ProblemError } from "../http/problem-error.ts";

/** A place in an ordered list: after the entry with this id and this value of the list's order. */
export interface Place {
  id: string;
  /** Null if the value was unknown; absent in a list that is ordered by ids. */
  value?: string | number | Date | null;
}

const Written = Type.Object({
  order: Type.String(),
  id: Type.String(),
  value: Type.Optional(Type.Unsafe<string | number | null>({ type: ["string", "number", "null"] })),
  isTime: Type.Optional(Type.Boolean()),
});
const check = compileCheck(Written);

/** Returns a place as the text of `after`, which is opaque to callers. `order` names the order of the list. */
export function cursorText(order: string, { id, value }: Place): string {
  const isTime = value instanceof Date;
  const written = { order, id, ...(value !== undefined && { value: isTime ? value.getTime() : value, isTime }) };
  return Buffer.from(JSON.stringify(written)).toString("base64url");
}

/** Returns the place that an `after` names. Throws a ProblemError if the text is not from a page of a list in this order. */
export function placeOf(text: string, order: string): Place {
  const written = read(text);
  if (written === undefined) throw wrongCursor("is not from the `Link` header of a page of this list");
  if (written.order !== order) throw wrongCursor("is from a list in another order: start again without it");
  const { id, value, isTime } = written;
  if (value === undefined) return { id };
  return { id, value: isTime ? new Date(Number(value)) : value };
}

function read(text: string) {
  try {
    const written = JSON.parse(Buffer.from(text, "base64url").toString());
    return check(written).length === 0
      ? (written as { order: string; id: string; value?: string; isTime?: boolean })
      : undefined;
  } catch {
    return undefined;
  }
}

const wrongCursor = (detail: string) =>
  new ProblemError("invalid-request", "The query has 1 fault.", { errors: [{ pointer: "/query/after", detail }] });

/** Rejects an offset combined with a cursor. */
export function assertOneStart(query: { start?: number | undefined; after?: string | undefined }): void {
  if (query.start === undefined || query.after === undefined) return;
  const errors = [
    { pointer: "/query/start", detail: "must be absent together with `after`, which says where the page begins" },
  ];
  throw new ProblemError("invalid-request", "The query has 1 fault.", { errors });
}

/** Returns the `Link` header for the next page of a list: the same query, after the last entry (RFC 8288). */
export function linkToNext(querystring: string, next: string): string {
  const query = new URLSearchParams(querystring);
  query.set("after", next);
  return `<?${query}>; rel="next"`;
}
