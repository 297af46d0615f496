import type { Context } from "koa";
import { ownOriginPolicy } from "../../http/own-origin-policy.ts";

/** The content security policy of pages: they load and fetch only from their own origin, without inline scripts or styles. */
const PAGE_POLICY = ownOriginPolicy({ "form-action": "'self'" });
/** The policy of a page that can be installed. */
const INSTALLED_POLICY = ownOriginPolicy({ "form-action": "'self'", "manifest-src": "'self'" });

/** Sends a document that shows the reader's own data: no cache stores it, and no other site sees its address. */
export function sendPage(context: Context, status: number, document: string, isInstallable = false): void {
  context.status = status;
  context.set({
    "content-security-policy": isInstallable ? INSTALLED_POLICY : PAGE_POLICY,
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
  });
  context.type = "text/html; charset=utf-8";
  context.body = document;
}
