import type { Middleware } from "koa";
import { asksForStrict } from "../tolerance/strict-form.ts";

/** The address of a store's interface or of a login, with any number of slashes, followed by the rest of the path. */
const PUBLIC_PATH = /^((?:\/+t\/+[^/]+(?:\/+s\/+[^/]+)?)?\/+api\/+public\/+(?:core\/+v1|auth\/+v1))(?:\/+(.*))?$/s;

/**
 * Collapses repeated slashes and removes a trailing one, since clients join addresses in this way. In a DELETE, the path
 * below that address stays unchanged, since an id in it may have been empty: `DELETE /labels/A/links/` must not mean all
 * links of A.
 */
export const toleratePath: Middleware = (context, next) => {
  const { path } = context;
  if ((path.includes("//") || path.endsWith("/")) && !asksForStrict(context.get("prefer"))) {
    const [, base, own = ""] = PUBLIC_PATH.exec(path) ?? [];
    if (base !== undefined) {
      const kept = context.method === "DELETE" ? own : own.replace(/\/{2,}/g, "/").replace(/\/$/, "");
      context.path = base.replace(/\/{2,}/g, "/") + (kept === "" ? "" : `/${kept}`);
    }
  }
  return next();
};
