import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a page of this origin sent the request. A browser declares this in `Sec-Fetch-Site` or, if the origin is plain
 * HTTP, in `Origin`; no page can set either. A request with neither does not come from a browser, and counts as
 * foreign.
 */
export function isSameOrigin({ "sec-fetch-site": site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === "same-origin";
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

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
