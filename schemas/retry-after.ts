/**
 * Returns the wait, in milliseconds, that a `Retry-After` header requests by a number of seconds or a date (RFC 9110).
 * Undefined if the header has neither, or if the date has passed.
 */
export function retryAfter(header: string | string[] | undefined, now: Date): number | undefined {
  if (typeof header !== "string") return undefined;
  const wait = /^\d{1,9}(\.\d{1,3})?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return wait > 0 ? wait : undefined;
}
