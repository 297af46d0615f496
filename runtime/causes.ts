import { AsyncLocalStorage } from "node:async_hooks";
import type { Cause } from "../schemas/cause.ts";
import { numberOf } from "../schemas/stamp.ts";

/** The work in progress in an asynchronous context, and its causes. */
interface Scope {
  causes: readonly Cause[];
  /** Returns the cause that wrote a record with this body; undefined if the cause is unknown. */
  causeOf(body: object): Cause | undefined;
}

const scopes = new AsyncLocalStorage<Scope>();

/**
 * Runs work on behalf of these causes: the work's writes, log lines and accepted requests refer to them. The causes are kept in
 * the asynchronous context rather than in an argument, which a write could fail to pass on.
 */
export const withCauses = <T>(
  causes: readonly Cause[],
  work: () => T,
  causeOf: Scope["causeOf"] = onlyOneOf(causes),
): T => scopes.run({ causes, causeOf }, work);

/**
 * Like `withCauses`, for rows of one store that may come from several requests: a record's stamps show which request wrote it.
 */
export const withRequests = <T>(causes: readonly Cause[], work: () => T): T =>
  withCauses(causes, work, (body) => causeByStamp(causes, body));

/** The causes of the work in progress; none outside a call or a batch. */
export const currentCauses = (): readonly Cause[] => scopes.getStore()?.causes ?? [];

/** The cause of a write in progress. */
export const causeOfWrite = (body: object): Cause | undefined => scopes.getStore()?.causeOf(body);

const onlyOneOf =
  (causes: readonly Cause[]): Scope["causeOf"] =>
  () =>
    causes.length === 1 ? causes[0] : undefined;

/** Returns the cause whose request made the largest stamp of a record; if there is only one cause, that cause. */
export function causeByStamp(causes: readonly Cause[], body: object): Cause | undefined {
  if (causes.length <= 1) return causes[0];
  const newest = numberOf(largestStamp(body));
  return causes.find(({ request }) => request === newest);
}

/** The largest number under `stamp`, `stamps` or `floor` at any depth; 0 if there is none. */
function largestStamp(value: unknown, isStamp = false): number {
  if (typeof value === "number") return isStamp ? value : 0;
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce((largest, [name, part]) => {
    const isPartStamp = isStamp || name === "stamp" || name === "stamps" || name === "floor";
    return Math.max(largest, largestStamp(part, isPartStamp));
  }, 0);
}

/** Each cause once. Causes of different stores may have the same number, so their calls are compared as well. */
export function distinctCauses(causes: readonly (Cause | undefined)[]): Cause[] {
  const known = new Map<string, Cause>();
  for (const cause of causes) if (cause) known.set(`${cause.request} ${cause.call} ${cause.trace}`, cause);
  return [...known.values()];
}
