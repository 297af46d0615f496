import type { Context } from "koa";
import type { Permit } from "../access/verify-token.ts";

/** Target of a login that did not start from a page. */
export const HOME = "/";
/** Target of such a login for people of individual stores: their tasks. */
const HOME_OF_STAFF = "/work";

/**
 * Returns the page on which a session starts: the requested one, if any. Otherwise, people of individual stores who may read
 * labels start with their tasks, and all others with the home page.
 */
export const firstPage = ({ stores, scopes }: Pick<Permit, "stores" | "scopes">, next = HOME): string => {
  if (next !== HOME) return next;
  return stores !== "*" && scopes.has("labels:read") ? HOME_OF_STAFF : HOME;
};

/** A login in progress keeps its path in a cookie, which browsers limit to 4096 bytes. */
const MAX_PATH = 2_048;

/** Returns a path of this origin, or else the home page, because a login must not lead to another site. */
export const localPath = (text: unknown): string =>
  typeof text === "string" && text.length <= MAX_PATH && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : HOME;

export function redirect(context: Context, path: string): void {
  context.status = 303;
  context.set("location", path);
  context.body = "";
}
