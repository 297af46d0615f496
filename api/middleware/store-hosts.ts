import type { Middleware } from "koa";
import { LOGIN_PATH } from "../access/login/login.ts";

const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

/** The host at which programs of the family log in, instead of at a store's. */
const LOGIN_HOST = "central-manager";

/** The path of a store, by the spelling of its ids in a host. */
export type LocateStore = (tenantId: string, storeId: string) => Promise<string>;

/**
 * Serves a store at its own host as well: `{storeId}.{tenantId}.{baseDomain}/api/...` is rewritten to
 * `/t/{tenantId}/s/{storeId}/api/...`. Many clients of ESL servers expect such a host per store, and
 * `central-manager.{tenantId}.{baseDomain}` for their login.
 */
export function storeHosts(baseDomain: string, locate: LocateStore): Middleware {
  const pattern = new RegExp(`^(${LABEL})\\.(${LABEL})\\.${RegExp.escape(baseDomain)}$`, "i");
  return async (context, next) => {
    const [, storeId, tenantId] = pattern.exec(context.hostname) ?? [];
    const isOfStore = context.path === "/" || context.path.startsWith("/api/");
    const isLogin = storeId?.toLowerCase() === LOGIN_HOST && context.path === LOGIN_PATH;
    if (isLogin) context.path = `/t/${tenantId}${LOGIN_PATH}`;
    else if (storeId && tenantId && isOfStore)
      context.path = `${await locate(tenantId, storeId)}${context.path === "/" ? "" : context.path}`;
    await next();
  };
}
