import type { Middleware } from "koa";

const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

/** The path of a store, by the spelling of its ids in a host. */
export type LocateStore = (tenantId: string, storeId: string) => Promise<string>;

/**
 * Serves a store at its own host as well: `{storeId}.{tenantId}.{baseDomain}/api/...` is rewritten to
 * `/t/{tenantId}/s/{storeId}/api/...`. Many clients of ESL servers expect such a host per store.
 */
export function storeHosts(baseDomain: string, locate: LocateStore): Middleware {
  const pattern = new RegExp(`^(${LABEL})\\.(${LABEL})\\.${RegExp.escape(baseDomain)}$`, "i");
  return async (context, next) => {
    const [, storeId, tenantId] = pattern.exec(context.hostname) ?? [];
    const isOfStore = context.path === "/" || context.path.startsWith("/api/");
    if (storeId && tenantId && isOfStore)
      context.path = `${await locate(tenantId, storeId)}${context.path === "/" ? "" : context.path}`;
    await next();
  };
}
