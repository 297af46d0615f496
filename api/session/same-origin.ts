import type { IncomingHttpHeaders } from "node:http";
import type { Middleware } from "koa";
import { ProblemError } from "../http/problem-error.ts";

/**
 * Whether a page of this origin sent the request. A browser declares this in `Sec-Fetch-Site` or, if the origin is plain
 * HTTP, in `Origin`; no page can set either. A request with neither does not come from a browser, and counts as
 * foreign.
 */
export function isSameOrigin({ "sec-fetch-site": site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === "same-origin";
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

/** Throws a 403 unless a page of this origin sent the call: a page of another site must not start, use or end a session. */
export function assertSameOrigin(headers: IncomingHttpHeaders): void {
  if (isSameOrigin(headers)) return;
  throw new ProblemError("forbidden", "Only a page of this origin may send this request (Sec-Fetch-Site, Origin).");
}

/** Refuses a call that no page of this origin sent. */
export const refuseForeign: Middleware = (context, next) => {
  assertSameOrigin(context.headers);
  return next();
};

/**
 * Whether the page that sent the request was fetched over https, regardless of proxies between the browser and this
 * process. If there is no `Origin`, for example when a page is opened, `Sec-Fetch-Site` decides: browsers send it over
 * https, and to this machine.
 */
export function isOfSecurePage({ origin, "sec-fetch-site": site, host = "" }: IncomingHttpHeaders): boolean {
  if (origin !== undefined && origin !== "null") return origin.startsWith("https://");
  return site !== undefined && !OF_THIS_MACHINE.test(host);
}

/** Hosts that browsers trust over plain HTTP. */
const OF_THIS_MACHINE = /^((.*\.)?localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
