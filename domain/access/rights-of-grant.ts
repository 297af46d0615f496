import { scopes } from "../../schemas/scope.ts";
import type { Rights } from "./may-grant.ts";

const isScope = (text: string): boolean => scopes.some((scope) => scope === text);

/** The rights of claims, or of the settings of a user: stores and scopes, either of which may be `*` for all. */
export const rightsOfGrant = ({ stores, scope }: { stores: "*" | readonly string[]; scope: string }): Rights => ({
  stores: stores === "*" ? "*" : new Set(stores),
  scopes: new Set(scope === "*" ? scopes : scope.split(" ").filter(isScope)),
});
