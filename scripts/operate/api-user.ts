import { text } from "node:stream/consumers";
import { apiUserResource } from "../../api/installation/api-users.ts";
import { revokeTokens } from "../../api/installation/revoke-tokens.ts";
import { apiUsers, tenants } from "../../records/kinds/tenants.ts";
import { type Records, readAll } from "../../records/records.ts";
import { apiUserKey, tenantKey } from "../../schemas/keys.ts";
import { scopes } from "../../schemas/token.ts";
import { assertTenant } from "./admin/assert-tenant.ts";
import { command, Refusal } from "./admin/command.ts";
import { helpOption } from "./admin/parse-call.ts";
import { runCommandLine } from "./admin/run-command-line.ts";

/**
 * Adds, removes and lists the users that may log in, of all tenants, by the rules of `npm run admin -- user`. A password is
 * read from standard input, or is made and printed once. It is never an argument, because other users of the machine can
 * see arguments.
 */
const add = command({
  name: "add",
  arguments: ["NAME"],
  means: "add a user, with a password that is made and printed once",
  options: {
    stores: { takes: "STORES", means: "ids of stores with commas, or * for all of them; must be said" },
    scope: { takes: "SCOPE", means: "scopes with blanks, or * for all of them; must be said" },
    tenant: { takes: "TENANT", initial: "demo", means: "whose user it is" },
    "password-stdin": { means: "read the password from standard input instead" },
  },
  async run({ arguments: [name = ""], options, open }) {
    const { stores = "", scope = "", "password-stdin": isGiven } = options;
    // What a user may do is said and never assumed: a forgotten argument must not grant everything.
    if (stores === "") throw new Refusal("Say which stores with --stores: ids with commas, or '*' for all.");
    if (scope === "") throw new Refusal("Say what the user may do with --scope: scopes with blanks, or '*' for all.");
    const unknown = scope.split(" ").filter((one) => !["", "*", ...scopes].includes(one));
    if (unknown.length > 0)
      throw new Refusal(`There is no scope ${unknown.join(", ")}; there are ${scopes.join(", ")}, and * for all.`);
    const { records, commit } = await open();
    const tenant = await assertTenant(records, options.tenant);
    const password = isGiven ? (await text(process.stdin)).replace(/\r?\n$/, "") : undefined;
    const order = { stores: stores === "*" ? ("*" as const) : stores.split(","), scope, ...(isGiven && { password }) };
    const made = await apiUserResource({ records, commit }).put(tenant, name, order, (present) => {
      if (present) throw new Refusal(`There is a user "${name}" already; remove it first to give it another password.`);
    });
    const lines = isGiven ? [`added ${name}`] : [`added ${name}; its password, shown only here:`, `${made.password}`];
    return { lines, data: {} };
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
    return { lines: [`removed ${name}; its tokens are refused within five seconds`], data: {} };
  },
});

const revoke = command({
  name: "revoke",
  arguments: ["NAME"],
  means: "end every token that a user has been given; it may log in again, and is given new ones",
  options: {
    tenant: { takes: "TENANT", means: "whose tokens, where NAME is no user: the subject of tokens that were signed" },
  },
  async run({ arguments: [name = ""], options, open }) {
    const system = await open();
    const tenant = options.tenant ?? (await findUser(system.records, name))?.tenant;
    if (tenant === undefined)
      throw new Refusal(
        `The user "${name}" does not exist. For tokens with this subject say whose they are: --tenant TENANT.`,
      );
    await revokeTokens(system, await assertTenant(system.records, tenant), name);
    return { lines: [`revoked the tokens of ${name}; they are refused within five seconds`], data: {} };
  },
});

const list = command({
  name: "list",
  arguments: [],
  means: "list the users, each with its tenant, stores and scope",
  options: { tenant: { takes: "TENANT", means: "whose users alone" } },
  async run({ options, open }) {
    const { records } = await open();
    const all = await readAll(records, apiUsers, apiUserKey(""));
    const shown = all.filter(({ tenant }) => options.tenant === undefined || tenant === options.tenant);
    const owners = await records.read(tenants, [...new Set(shown.map(({ tenant }) => tenantKey(tenant)))]);
    const lines = shown.map(({ name, tenant, stores, scope }) => {
      const isRemoved = owners.get(tenantKey(tenant))?.removal !== undefined;
      const may = [stores === "*" ? "*" : stores.join(","), scope];
      return [name, tenant, ...may, ...(isRemoved ? ["the tenant is being removed"] : [])].join("\t");
    });
    return { lines, data: {} };
  },
});

async function findUser(records: Pick<Records, "read">, name: string) {
  const key = apiUserKey(name);
  return (await records.read(apiUsers, [key])).get(key);
}

const program = { call: "npm run api-user --", commands: [add, remove, revoke, list], common: helpOption };
process.exitCode = await runCommandLine(process.argv.slice(2), program);
