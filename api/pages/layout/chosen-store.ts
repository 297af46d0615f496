import type { Context } from "koa";
import type { Page, Visit } from "../visit.ts";

const STORE_COOKIE = "shelfwire-store";
const COOKIE_LIFETIME_S = 365 * 86_400;

/** Remembers the store of a page in the browser, for addresses that name none. */
export function rememberStore(context: Context, { permit, store }: Pick<Visit, "permit" | "store">): void {
  const value = `${permit.tenant}/${store?.id ?? ""}`;
  // Ids in a session's token may be any text, and a cookie holds few characters.
  if (!/^[\w-]{1,64}\/[\w-]{1,64}$/.test(value) || context.cookies.get(STORE_COOKIE) === value) return;
  const attributes = `Path=/; Max-Age=${COOKIE_LIFETIME_S}; SameSite=Lax; HttpOnly`;
  context.append("set-cookie", `${STORE_COOKIE}=${value}; ${attributes}`);
}

/** Returns the store that the browser remembers; undefined if it belongs to a different tenant. */
export function rememberedStore(context: Context, tenant: string): string | undefined {
  const [owner, store] = context.cookies.get(STORE_COOKIE)?.split("/") ?? [];
  return owner === tenant ? store : undefined;
}

/**
 * Returns the path of a page in another store. The page of one entry in a store becomes the list of such entries. An
 * item's page is kept, because a retailer's stores sell the same items.
 */
export function pathInStore(page: Pick<Page, "path" | "entry" | "below">, path: string): string {
  if (!page.path.includes(":") || page.path.startsWith("/items/")) return path;
  const home = page.entry ?? page.below ?? "shelf";
  return home === "overview" ? "/" : `/${home}`;
}

/** Parts of a query that belong to one store: a place in its list, or one of its entries. */
const OF_ONE_STORE = ["store", "start", "after", "verdict", "checks", "barcode", "tenant"];

/** Returns the query of a page in another store: searches and filters are kept. */
export const queryInStore = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...query].filter(([name]) => !OF_ONE_STORE.includes(name)));
