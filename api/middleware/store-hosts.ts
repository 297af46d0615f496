import type { Middleware } from "koa";
import { LOGIN_PATH } from "../access/login/login.ts";

const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

/** The host at which client programs log in, in place of a store's. */
const LOGIN_HOST = "central-manager";

/** Returns the path of a store, given the spelling of its ids in a host name. */
export type LocateStore = (tenantId: string, storeId: string) => Promise<string>;

/**
 * Also serves a store at its own host: `{storeId}.{tenantId}.{baseDomain}/api/...` is rewritten to
 * `/t/{tenantId}/s/{storeId}/api/...`. Many clients of ESL servers expect such a host for each store, and
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
