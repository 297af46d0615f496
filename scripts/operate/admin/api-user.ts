import { text } from "node:stream/consumers";
import { apiUserResource } from "../../../api/installation/api-users.ts";
import { revokeTokens } from "../../../api/installation/revoke-tokens.ts";
import { apiUsers, tenants } from "../../../records/kinds/tenants.ts";
import { type Records, readAll } from "../../../records/records.ts";
import { apiUserKey, tenantKey } from "../../../schemas/keys.ts";
import { isRole, roleNames } from "../../../schemas/role.ts";
import { scopes } from "../../../schemas/token.ts";
import { assertTenant } from "./assert-tenant.ts";
import { command, Refusal } from "./command.ts";
import { dataOptions, type Program } from "./parse-call.ts";

/**
 * A password is read from standard input, or generated and printed once. It is never an argument, because other users of the
 * machine can see arguments.
 */
const add = command({
  name: "add",
  arguments: ["NAME"],
  means: "add a user with a generated password, which is printed once",
  options: {
    stores: { takes: "STORES", means: "ids of stores, separated by commas, or * for all; required" },
    role: { takes: "ROLE", means: `what the user may do: ${roleNames.join(", ")}; this or --scope is required` },
    scope: { takes: "SCOPE", means: "individual scopes instead of a role, separated by spaces, or * for all" },
    tenant: { takes: "TENANT", initial: "demo", means: "tenant of the user" },
    "password-stdin": { means: "read the password from standard input instead" },
  },
  async run({ arguments: [name = ""], options, open }) {
    const { stores = "", role, scope = "", "password-stdin": isGiven } = options;
    // A user's rights are stated and never assumed, because a forgotten argument must not grant everything.
    if (stores === "") throw new Refusal("Specify the stores with --stores: ids separated by commas, or '*' for all.");
    if ((scope === "") === (role === undefined))
      throw new Refusal(
        `Specify the user's rights with --role (${roleNames.join(", ")}), or with --scope: scopes separated by spaces, or '*' for all.`,
      );
    if (role !== undefined && !isRole(role))
      throw new Refusal(`Unknown role ${role}: the roles are ${roleNames.join(", ")}.`);
    const unknown = scope.split(" ").filter((one) => !["", "*", ...scopes].includes(one));
    if (unknown.length > 0)
      throw new Refusal(`Unknown scope ${unknown.join(", ")}: the scopes are ${scopes.join(", ")}, and * for all.`);
    const { records, commit } = await open();
    const tenant = await assertTenant(records, options.tenant);
    const password = isGiven ? (await text(process.stdin)).replace(/\r?\n$/, "") : undefined;
    const order = {
      stores: stores === "*" ? ("*" as const) : stores.split(","),
      ...(role === undefined ? { scope } : { role }),
      ...(isGiven && { password }),
    };
    const made = await apiUserResource({ records, commit }).put(tenant, name, order, (present) => {
      if (present) throw new Refusal(`The user "${name}" already exists; remove it first to set another password.`);
    });
    const lines = isGiven ? [`added ${name}`] : [`added ${name}; its password, shown only here:`, `${made.password}`];
    return { lines, data: { name, tenant, ...(!isGiven && { password: made.password }) } };
  },
});

const remove = command({
  name: "remove",
  arguments: ["NAME"],
  means: "remove a user",
  options: {},
  async run({ arguments: [name = ""], open }) {
    const { records, commit } = await open();
    const user = await findUser(records, name);
    if (user === undefined) throw new Refusal(`The user "${name}" does not exist.`);
    await apiUserResource({ records, commit }).remove(tenantKey(user.tenant), name);
    return { lines: [`removed ${name}; its tokens are rejected within five seconds`], data: { name } };
  },
});

const revoke = command({
  name: "revoke",
  arguments: ["NAME"],
  means: "revoke all tokens of a user, who can log in again to get new ones",
  options: {
    tenant: {
      takes: "TENANT",
      means: "tenant of NAME, if NAME is the subject of signed tokens or a person of the identity provider",
    },
    operator: { means: "NAME is an operator, who belongs to no tenant and logged in through the identity provider" },
  },
  async run({ arguments: [name = ""], options, open }) {
    const system = await open();
    if (options.operator && options.tenant !== undefined)
      throw new Refusal("An operator belongs to no tenant: leave out --tenant, or --operator.");
    const owner = options.operator ? tenantKey("") : await tenantOf(system.records, name, options.tenant);
    await revokeTokens(system, owner, name);
    // A subject with its tenant means anybody with this subject, including a person from the identity provider.
    if (options.operator || options.tenant !== undefined) await revokeTokens(system, owner, name, { isPerson: true });
    return { lines: [`revoked the tokens of ${name}; they are rejected within five seconds`], data: { name } };
  },
});

/** Returns the key of the given tenant, or of the tenant of the user with this name. */
async function tenantOf(records: Pick<Records, "read" | "scan">, name: string, named: string | undefined) {
  const tenant = named ?? (await findUser(records, name))?.tenant;
  if (tenant === undefined)
    throw new Refusal(
      `The user "${name}" does not exist. To revoke signed tokens with this subject, name their tenant: --tenant TENANT.`,
    );
  return assertTenant(records, tenant);
}

const list = command({
  name: "list",
  arguments: [],
  means: "list the users, each with its tenant, stores, and role or scope",
  options: { tenant: { takes: "TENANT", means: "list only the users of this tenant" } },
  async run({ options, open }) {
    const { records } = await open();
    const all = await readAll(records, apiUsers, apiUserKey(""));
    const shown = all.filter(({ tenant }) => options.tenant === undefined || tenant === options.tenant);
    const owners = await records.read(tenants, [...new Set(shown.map(({ tenant }) => tenantKey(tenant)))]);
    const users = shown.map(({ name, tenant, stores, role, scope }) => ({
      ...{ name, tenant, stores, scope, ...(role && { role }) },
      isTenantRemoved: owners.get(tenantKey(tenant))?.removal !== undefined,
    }));
    const lines = users.map(({ name, tenant, stores, role, scope, isTenantRemoved }) => {
      const may = [stores === "*" ? "*" : stores.join(","), role ?? scope];
      return [name, tenant, ...may, ...(isTenantRemoved ? ["the tenant is being removed"] : [])].join("\t");
    });
    return { lines, data: { users } };
  },
});

async function findUser(records: Pick<Records, "read">, name: string) {
  const key = apiUserKey(name);
  return (await records.read(apiUsers, [key])).get(key);
}

/**
 * `npm run api-user` adds, removes and lists users who may log in, for all tenants, by the rules of `npm run admin -- user`.
 */
export const apiUser: Program = {
  call: "npm run api-user --",
  commands: [add, remove, revoke, list],
  common: dataOptions,
};
