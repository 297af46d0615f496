import type { Middleware } from "koa";
import { asksForStrict } from "../tolerance/tolerate.ts";

/** The address of a store's interface or of a login, with as many slashes as there are, and what is behind it. */
const PUBLIC_PATH = /^((?:\/+t\/+[^/]+(?:\/+s\/+[^/]+)?)?\/+api\/+public\/+(?:core\/+v1|auth\/+v1))(?:\/+(.*))?$/s;

/**
 * Takes doubled slashes, and one at the end, for single ones and none: clients join addresses so. Not so behind the
 * address of a DELETE, if an id may have been left empty: `DELETE /labels/A/links/` must not mean all links of A.
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
