import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a page of this origin sent the request. A browser says so itself, in `Sec-Fetch-Site` or, where the origin is
 * plain HTTP, in `Origin`; no page can set either. A request that has neither comes from no browser, and counts as foreign.
 */
export function isSameOrigin({ "sec-fetch-site": site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === "same-origin";
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

/** Whether the page that sent the request was fetched over https, whatever lies between the browser and this process. */
export const isOfSecurePage = ({ origin }: IncomingHttpHeaders): boolean => origin?.startsWith("https://") ?? false;
