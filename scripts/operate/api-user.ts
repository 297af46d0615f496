import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { hashPassword } from "../../api/access/passwords.ts";
import { readSettings } from "../../queues/read-settings.ts";
import { openSystem, systemSettings } from "../../queues/system.ts";
import { openLog } from "../../queues/tracing/log.ts";
import { type ApiUser, apiUsers } from "../../records/kinds/api-user.ts";
import { readAll } from "../../records/records.ts";
import { apiUserKey } from "../../schemas/keys.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { scopes } from "../../schemas/token.ts";
import { runningStores } from "../start/running.ts";

/**
 * Adds, removes and lists the users that may log in, in the database of the environment, else of the instance that runs
 * on DATA_DIR. A password is read from standard input, or is generated and printed once. It is never an argument,
 * because other users of the machine can see arguments.
 */
const USAGE = `npm run api-user -- add NAME --stores main,branch | '*' --scope 'items:read ...' | '*' [--tenant demo] [--password-stdin]
npm run api-user -- remove NAME
npm run api-user -- list [--tenant demo]`;
/** Without a colon, which ends the name in a header of basic authentication. */
const NAME = /^[\w.@-]{1,64}$/;
const MIN_PASSWORD_LENGTH = 12;
const GENERATED_PASSWORD_BYTES = 24;

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
if (command !== "list" && !NAME.test(name))
  refuse(`"${name}" is no user name: 1 to 64 letters, digits and the characters . _ @ -`);
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
const key = apiUserKey(name);

async function add(): Promise<string> {
  const isGiven = values["password-stdin"];
  const password = isGiven
    ? (await text(process.stdin)).replace(/\r?\n$/, "")
    : randomBytes(GENERATED_PASSWORD_BYTES).toString("base64url");
  if (password.length < MIN_PASSWORD_LENGTH)
    return refuse(`A password has at least ${MIN_PASSWORD_LENGTH} characters.`);
  const tenant = values.tenant ?? "demo";
  const present = (await readAll(records, apiUsers, apiUserKey(""))).filter((other) => other.tenant === tenant).length;
  if (present >= tenantLimits.apiUsers)
    return refuse(`A tenant has at most ${tenantLimits.apiUsers} users; ${tenant} has ${present}. Remove one first.`);
  const user: ApiUser = {
    name,
    tenant,
    stores: stores === "*" ? "*" : stores.split(","),
    scope,
    password: await hashPassword(password),
  };
  const changed = await commit.change(apiUsers, [key], (_, current) => (current ? undefined : user), "interactive");
  if (!changed.has(key))
    return refuse(`There is a user "${name}" already; remove it first to give it another password.`);
  return isGiven ? `added ${name}\n` : `added ${name}; its password, shown only here:\n${password}\n`;
}

async function remove(): Promise<string> {
  const user = (await records.read(apiUsers, [key])).get(key);
  if (user === undefined) return refuse(`There is no user "${name}".`);
  await records.remove(apiUsers, [{ key, rev: user.rev }]);
  return `removed ${name}; tokens that it has are good until they expire\n`;
}

async function list(): Promise<string> {
  const users = await readAll(records, apiUsers, apiUserKey(""));
  return users
    .filter(({ tenant }) => values.tenant === undefined || tenant === values.tenant)
    .map(
      ({ name, tenant, stores, scope }) => `${name}\t${tenant}\t${stores === "*" ? "*" : stores.join(",")}\t${scope}\n`,
    )
    .join("");
}

const report = await { add, remove, list }[command as "add" | "remove" | "list"]();
process.stdout.write(report);
await close();
