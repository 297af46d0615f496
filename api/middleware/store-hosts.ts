import type { Middleware } from "koa";

const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

/**
 * Serves a store at a host of its own as well: `{storeId}.{tenantId}.{baseDomain}/api/...` is rewritten to
 * `/t/{tenantId}/s/{storeId}/api/...`. Many clients of ESL servers expect such a host per store.
 */
export function storeHosts(baseDomain: string): Middleware {
  const pattern = new RegExp(`^(${LABEL})\\.(${LABEL})\\.${RegExp.escape(baseDomain)}$`, "i");
  return (context, next) => {
    const [, storeId, tenantId] = pattern.exec(context.hostname) ?? [];
    if (storeId && tenantId && context.path.startsWith("/api/"))
      context.path = `/t/${tenantId}/s/${storeId}${context.path}`;
    return next();
  };
}
