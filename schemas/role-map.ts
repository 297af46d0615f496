import { isRole, OPERATOR, type Role, roleNames } from "./role.ts";

export type AnyRole = Role | typeof OPERATOR;

/** Roles by the values of a claim: `value=role`, comma-separated. Values may contain any character except commas. */
export type RoleMap = ReadonlyMap<string, AnyRole>;

const isAnyRole = (text: string): text is AnyRole => text === OPERATOR || isRole(text);

function partsOf(list: string): [string, string][] {
  return list.split(",").map((part) => {
    const cut = part.lastIndexOf("=");
    return [part.slice(0, Math.max(cut, 0)).trim(), part.slice(cut + 1).trim()];
  });
}

/** Returns the first part of a list that is not `value=role`; undefined if all parts are valid. */
export const faultOfRoles = (list: string): string | undefined =>
  partsOf(list)
    .find(([value, role]) => value === "" || !isAnyRole(role))
    ?.join("=");

/**
 * Reads a list of roles by values. Without a list, each role's name stands for the role; only the operator, who is above all
 * tenants, must be named in a list.
 */
export function roleMap(list: string | undefined): RoleMap {
  if (list === undefined) return new Map(roleNames.map((role) => [role, role]));
  return new Map(
    partsOf(list).flatMap(([value, role]): [string, AnyRole][] => (isAnyRole(role) ? [[value, role]] : [])),
  );
}
