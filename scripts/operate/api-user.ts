import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { ProblemError } from "../../api/http/problem-error.ts";
import { apiUserResource } from "../../api/installation/api-users.ts";
import { readSettings } from "../../queues/read-settings.ts";
import { openSystem, systemSettings } from "../../queues/system.ts";
import { openLog } from "../../queues/tracing/log.ts";
import { apiUsers } from "../../records/kinds/api-user.ts";
import { readAll } from "../../records/records.ts";
import { apiUserKey, tenantKey } from "../../schemas/keys.ts";
import { scopes } from "../../schemas/token.ts";
import { runningStores } from "../start/running.ts";
import { assertTenant } from "./admin/assert-tenant.ts";
import { Refusal } from "./admin/command.ts";
import { explain } from "./admin/explain.ts";

/**
 * Adds, removes and lists the users that may log in, of all tenants, by the rules of `npm run admin -- user`. A password is
 * read from standard input, or is made and printed once. It is never an argument, because other users of the machine can
 * see arguments.
 */
const USAGE = `npm run api-user -- add NAME --stores main,branch | '*' --scope 'items:read ...' | '*' [--tenant demo] [--password-stdin]
npm run api-user -- remove NAME
npm run api-user -- list [--tenant demo]`;

const refuse = (why: string): never => {
  process.stderr.write(`${why}\n\n${USAGE}\n`);
  process.exit(1);
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tenant: { type: "string" },
    stores: { type: "string" },
    scope: { type: "string" },
    "password-stdin": { type: "boolean", default: false },
  },
});
const [command = "", name = "", ...more] = positionals;
if (!["add", "remove", "list"].includes(command) || more.length > 0 || (command === "list") !== (name === ""))
  refuse(`There is no command "${positionals.join(" ")}".`);
const { stores = "", scope = "" } = values;
// What a user may do is said and never assumed: a forgotten argument must not grant everything.
if (command === "add" && stores === "") refuse("Say which stores with --stores: ids, comma-separated, or '*' for all.");
if (command === "add" && scope === "") refuse("Say what the user may do with --scope: scopes, or '*' for all.");
const unknown = scope.split(" ").filter((name) => !["", "*", ...scopes].includes(name));
if (unknown.length > 0)
  refuse(`There is no scope ${unknown.join(", ")}; there are ${scopes.join(", ")}, and * for all.`);

const { DATA_DIR } = readSettings(["DATA_DIR"]);
const settings = readSettings(systemSettings, [], { ...runningStores(DATA_DIR), ...process.env });
const { records, commit, close } = openSystem(settings, openLog("api-user", "warn"), 20_000);
const users = apiUserResource({ records, commit });

async function add(): Promise<string> {
  const tenant = await assertTenant(records, values.tenant ?? "demo");
  const isGiven = values["password-stdin"];
  const password = isGiven ? (await text(process.stdin)).replace(/\r?\n$/, "") : undefined;
  const order = { stores: stores === "*" ? ("*" as const) : stores.split(","), scope, ...(isGiven && { password }) };
  const made = await users.put(tenant, name, order, (present) => {
    if (present) refuse(`There is a user "${name}" already; remove it first to give it another password.`);
  });
  return isGiven ? `added ${name}\n` : `added ${name}; its password, shown only here:\n${made.password}\n`;
}

async function remove(): Promise<string> {
  const key = apiUserKey(name);
  const user = (await records.read(apiUsers, [key])).get(key);
  if (user === undefined) return refuse(`There is no user "${name}".`);
  await users.remove(tenantKey(user.tenant), name);
  return `removed ${name}; tokens that it has are good until they expire\n`;
}

async function list(): Promise<string> {
  const all = await readAll(records, apiUsers, apiUserKey(""));
  return all
    .filter(({ tenant }) => values.tenant === undefined || tenant === values.tenant)
    .map(
      ({ name, tenant, stores, scope }) => `${name}\t${tenant}\t${stores === "*" ? "*" : stores.join(",")}\t${scope}\n`,
    )
    .join("");
}

const report = await { add, remove, list }[command as "add" | "remove" | "list"]().catch((error: unknown) => {
  if (error instanceof ProblemError || error instanceof Refusal) return refuse(explain(error));
  throw error;
});
process.stdout.write(report);
await close();
