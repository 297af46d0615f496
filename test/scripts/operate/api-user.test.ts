import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import test from "ava";
import { signPlatformToken, signToken } from "../../../api/access/sign-token.ts";
import { apiUsers, stores, tenants } from "../../../records/kinds/tenants.ts";
import { apiUserKey, storeKey, tenantKey } from "../../../schemas/keys.ts";
import { PLATFORM } from "../../../schemas/token.ts";
import { apiUser } from "../../../scripts/operate/admin/api-user.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownStack } from "../../harness/own.ts";
import { REACH_PATIENTLY } from "../../harness/patience.ts";
import { type Ended, runHere } from "../../harness/processes/run-command.ts";

const shelfwire = ownStack({ workers: [] });

const ALL = ["--stores", "*", "--scope", "*"];

const run = (args: readonly string[]): Promise<Ended> => runHere(apiUser, shelfwire.system, args);

/** Runs the command as an operator does, with standard input. */
async function runWith(input: string, args: readonly string[]): Promise<Ended> {
  const { redis, mongoUrl, database } = shelfwire.databases;
  const child = spawn(process.execPath, ["--import", REACH_PATIENTLY, "scripts/operate/api-user.ts", ...args], {
    env: { ...process.env, REDIS_URL: redis.url, MONGODB_URL: mongoUrl, MONGODB_DATABASE: database },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // A command that refuses ends without reading its input.
  child.stdin.on("error", () => {}).end(input);
  const ended = new Promise<number>((done) => child.once("exit", (code) => done(code ?? -1)));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}

const userOf = async (name: string) =>
  (await shelfwire.system.records.read(apiUsers, [apiUserKey(name)])).get(apiUserKey(name));

function login(name: string, password: string): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
  return fetch(`${shelfwire.origin}/api/public/auth/v1/login`, { headers: { authorization } });
}
const logIn = async (name: string, password: string): Promise<number> => (await login(name, password)).status;
const tokenOf = async (name: string, password: string): Promise<string> =>
  ((await (await login(name, password)).json()) as { token: string }).token;

const signerOf = () => ({
  secret: String(shelfwire.environment.JWT_SECRET),
  issuer: "shelfwire",
  audience: "shelfwire",
});

/** Returns a token that the operator has signed for a subject in the demo. */
const token = (subject: string): Promise<string> =>
  signToken({ ...signerOf(), lifetime: "1h", subject, tenant: "demo", stores: "*", scope: "*" });

/** Whether the API recognizes the caller of a token, whatever the caller may do. */
async function isTaken(bearer: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${bearer}` };
  return (await fetch(`${shelfwire.origin}/t/demo/s/main/api/public/core/v1/labels`, { headers })).status !== 401;
}

test.before(async () => {
  const { commit } = shelfwire.system;
  await commit.change(tenants, [tenantKey("other")], () => ({ name: "Other" }), "bulk");
  const branch = { name: "Branch", timeZone: "Europe/Zagreb", currency: "EUR", locale: "hr-HR", linkDepartments: [] };
  await commit.change(stores, [storeKey("demo", "branch")], () => branch, "bulk");
});

test.serial("an added user has a password that is printed once and stored as a hash", async (t) => {
  const { code, out } = await run(["add", "till-7", "--stores", "main,branch", "--scope", "items:read labels:read"]);
  t.is(code, 0);
  const password = out.trim().split("\n")[1] ?? "";
  t.regex(password, /^[\w-]{32}$/);
  const user = await userOf("till-7");
  t.like(user, { name: "till-7", tenant: "demo", stores: ["main", "branch"], scope: "items:read labels:read" });
  t.false(JSON.stringify(user).includes(password));
  t.is(await logIn("till-7", password), 200);
});

test.serial("a password may come from standard input and is then not printed", async (t) => {
  const args = ["add", "office", "--tenant", "other", ...ALL, "--password-stdin"];
  const { code, out } = await runWith("a long enough päßword\n", args);
  t.deepEqual({ code, out }, { code: 0, out: "added office\n" });
  t.is(await logIn("office", "a long enough päßword"), 200);
});

test.serial("list shows all users or only a tenant's, without password hashes", async (t) => {
  const all = (await run(["list"])).out;
  t.is(all, "office\tother\t*\t*\ntill-7\tdemo\tmain,branch\titems:read labels:read\n");
  t.is((await run(["list", "--tenant", "other"])).out, "office\tother\t*\t*\n");
});

test.serial("a user whose tenant is being removed is listed as such", async (t) => {
  const { commit } = shelfwire.system;
  const due = new Date("2030-01-01");
  const remove = (removal?: { since: Date; due: Date }) =>
    commit.change(tenants, [tenantKey("other")], () => ({ name: "Other", ...(removal && { removal }) }), "bulk");
  await remove({ since: due, due });
  t.is((await run(["list", "--tenant", "other"])).out, "office\tother\t*\t*\tthe tenant is being removed\n");
  await remove();
});

test.serial("a name is unique across all tenants", async (t) => {
  const before = await userOf("office");
  const [own, foreign] = await Promise.all(
    ["other", "demo"].map((tenant) => run(["add", "office", "--tenant", tenant, ...ALL])),
  );
  t.regex(own?.err ?? "", /The user "office" already exists/);
  t.regex(foreign?.err ?? "", /"office" of the API user is taken by another tenant: choose another one/);
  t.deepEqual([own?.code, foreign?.code], [1, 1]);
  t.deepEqual(await userOf("office"), before);
});

test.serial("a user belongs to an existing tenant and existing stores", async (t) => {
  const [tenant, store] = await Promise.all([
    run(["add", "nobody", "--tenant", "othr", ...ALL]),
    run(["add", "nobody", "--stores", "main,brnch", "--scope", "items:read"]),
  ]);
  t.deepEqual([tenant.code, store.code], [1, 1]);
  t.regex(tenant.err, /The tenant "othr" does not exist/);
  t.regex(store.err, /\/stores\/1 the store "brnch" does not exist/);
  t.is(await userOf("nobody"), undefined);
});

test.serial("revoked tokens are refused, and a new login works", async (t) => {
  const password = "a long enough päßword";
  const [lost, other] = [await tokenOf("office", password), await token("till-7")];
  t.deepEqual([await isTaken(lost), await isTaken(other)], [true, true]);
  const { code, out } = await run(["revoke", "office"]);
  t.is(code, 0);
  t.regex(out, /^revoked the tokens of office; they are rejected within five seconds/);
  await eventually("it is refused", async () => !(await isTaken(lost)));
  t.true(await isTaken(other), "other users' tokens stay valid");
  await eventually("a new token is valid", async () => isTaken(await tokenOf("office", password)));
});

test.serial("an operator, who belongs to no tenant, can be logged out everywhere as well", async (t) => {
  const signed = await signPlatformToken({ ...signerOf(), lifetime: "1h", subject: "root", scope: PLATFORM });
  t.true(await isTaken(signed));
  t.is((await run(["revoke", "root", "--operator", "--tenant", "demo"])).code, 1);
  t.is((await run(["revoke", "root", "--operator"])).code, 0);
  await eventually("it is refused", async () => !(await isTaken(signed)));
});

test.serial("the tokens of a subject that is not a user can also be revoked if the tenant is named", async (t) => {
  const signed = await token("nobody");
  t.true(await isTaken(signed));
  t.regex((await run(["revoke", "nobody"])).err, /The user "nobody" does not exist\. .* --tenant TENANT/);
  t.is((await run(["revoke", "nobody", "--tenant", "demo"])).code, 0);
  await eventually("it is refused", async () => !(await isTaken(signed)));
});

test.serial("a removed user cannot log in, and its tokens are refused", async (t) => {
  const kept = await tokenOf("office", "a long enough päßword");
  t.is((await run(["remove", "office"])).code, 0);
  t.is(await userOf("office"), undefined);
  t.is(await logIn("office", "a long enough päßword"), 401);
  await eventually("its token is refused", async () => !(await isTaken(kept)));
  t.regex((await run(["remove", "office"])).err, /The user "office" does not exist/);
});

for (const [args, why, expected = 1] of [
  [["rename", "a"], /The command "rename" does not exist. npm run api-user -- help lists them/, 2],
  [["add", "a", "password"], /add takes 1 arguments: "password" is one too many/, 2],
  [["add"], /add requires NAME/, 2],
  [["add", "a:b", ...ALL], /id "a:b" of the API user/],
  [["add", "a", "--scope", "items:read"], /Specify the stores with --stores/],
  [["add", "a", "--stores", "main"], /Specify the user's rights with --role/],
  [["add", "a", "--stores", "main", "--scope", "items:read everything"], /Unknown scope everything/],
  [["add", "short", ...ALL, "--password-stdin"], /\/password .*12/],
] as const) {
  test.serial(`api-user ${args.join(" ").slice(0, 40)} is refused, with advice`, async (t) => {
    const isPassed = args.some((word) => word === "--password-stdin");
    const { code, out, err } = await (isPassed ? runWith("short", args) : run(args));
    t.is(code, expected);
    t.is(out, "");
    t.regex(err, why);
  });
}
