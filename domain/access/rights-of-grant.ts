import { scopes } from "../../schemas/scope.ts";
import type { Rights } from "./may-grant.ts";

const isScope = (text: string): boolean => scopes.some((scope) => scope === text);

/** Returns the rights in claims or in a user's settings: stores and scopes, either of which may be `*` for all. */
export const rightsOfGrant = ({ stores, scope }: { stores: "*" | readonly string[]; scope: string }): Rights => ({
  stores: stores === "*" ? "*" : new Set(stores),
  scopes: new Set(scope === "*" ? scopes : scope.split(" ").filter(isScope)),
});
