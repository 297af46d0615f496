import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { platformToken } from "../../harness/served.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, pointersOf, refused } from "../calls.ts";
import { operate } from "./calls.ts";

const shelfwire = servedStack({ workers: [] });
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  operate(shelfwire, method, `/t/demo/api/management/v1${path}`, body, headers);
const user = { stores: ["main"], scope: "items:read labels:read" };

/** Logs in with a name and a password; returns the response's status, and the token if there is one. */
async function logIn(name: string, password: string): Promise<{ status: number; token: string }> {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
  const answer = await fetch(`${shelfwire.origin}/api/public/auth/v1/login`, { headers: { authorization } });
  const { token = "" } = (await answer.json()) as { token?: string };
  return { status: answer.status, token };
}
const readItems = async (token: string, path = "/items") =>
  (await fetch(`${shelfwire.base}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;

test.serial(
  "a new user receives its password once, logs in, and has the permissions it was created with",
  async (t) => {
    const made = await call("PUT", "/users/till-7", user, { "if-none-match": "*" });
    const { password, ...shown } = await bodyOf<{ password: string }>(made);
    t.deepEqual(shown as object, { name: "till-7", ...user });
    const read = await call("GET", "/users/till-7");
    t.is(read.headers.get("etag"), made.headers.get("etag"));
    t.deepEqual(await bodyOf<object>(read), { name: "till-7", ...user });
    t.deepEqual(await bodyOf<object>(await call("GET", "/users")), [{ name: "till-7", ...user }]);
    const { status, token } = await logIn("till-7", password);
    t.is(status, 200);
    t.is(await readItems(token), 200);
  },
);

test.serial("changing a user's permissions keeps its password; a new password invalidates the old one", async (t) => {
  const password = "the first of two passwords";
  t.is((await call("PUT", "/users/keeper", { ...user, password })).status, 200);
  const changed = await bodyOf<object>(await call("PUT", "/users/keeper", { ...user, scope: "ops" }));
  t.deepEqual(changed, { name: "keeper", stores: ["main"], scope: "ops" });
  const { status, token } = await logIn("keeper", password);
  t.is(status, 200);
  t.is(await readItems(token), 403);
  t.is((await call("PUT", "/users/keeper", { ...user, password: "the second of two" })).status, 200);
  t.is((await logIn("keeper", password)).status, 401);
  t.is((await logIn("keeper", "the second of two")).status, 200);
});

test.serial("a removed user cannot log in", async (t) => {
  const password = "soon of no use at all";
  t.is((await call("PUT", "/users/gone", { ...user, password })).status, 200);
  t.is((await call("DELETE", "/users/gone")).status, 204);
  t.is((await logIn("gone", password)).status, 401);
  await refused(t, await call("GET", "/users/gone"), 404);
});

test.serial("revoking a user's tokens invalidates all of them; the user stays and can get new ones", async (t) => {
  const password = "kept while tokens end";
  for (const name of ["lost-phone", "bystander"])
    t.is((await call("PUT", `/users/${name}`, { ...user, password })).status, 200);
  const { token } = await logIn("lost-phone", password);
  const { token: other } = await logIn("bystander", password);
  t.deepEqual([await readItems(token), await readItems(other)], [200, 200]);
  t.is((await call("DELETE", "/users/lost-phone/tokens")).status, 204);
  await eventually("the token is refused", async () => (await readItems(token)) === 401);
  t.is(await readItems(other), 200, "another user's token stays valid");
  t.deepEqual(await bodyOf<object>(await call("GET", "/users/lost-phone")), { name: "lost-phone", ...user });
  // Tokens issued in the same second as the revocation are revoked too.
  await eventually(
    "a new token is accepted",
    async () => (await readItems((await logIn("lost-phone", password)).token)) === 200,
  );
});

test.serial("only the operator can revoke tokens, and only those of the tenant's existing users", async (t) => {
  await refused(t, await call("DELETE", "/users/nobody/tokens"), 404);
  const token = await shelfwire.token({ scope: "*" });
  const headers = { authorization: `Bearer ${token}` };
  const url = `${shelfwire.origin}/t/demo/api/management/v1/users/bystander/tokens`;
  await refused(t, await fetch(url, { method: "DELETE", headers }), 403);
  t.is((await operate(shelfwire, "PUT", "/api/platform/v1/tenants/stranger", { name: "Stranger" })).status, 200);
  await refused(t, await operate(shelfwire, "DELETE", "/t/stranger/api/management/v1/users/bystander/tokens"), 404);
});

test.serial("a tenant cannot see, change or remove another tenant's user", async (t) => {
  t.is((await operate(shelfwire, "PUT", "/api/platform/v1/tenants/other", { name: "Other" })).status, 200);
  const ofOther = (method: string, path: string, body?: unknown) =>
    operate(shelfwire, method, `/t/other/api/management/v1${path}`, body);
  t.is((await ofOther("PUT", "/users/theirs", { stores: "*", scope: "*" })).status, 200);
  await refused(t, await call("GET", "/users/theirs"), 404);
  await refused(t, await call("DELETE", "/users/theirs"), 404);
  t.regex((await refused(t, await call("PUT", "/users/theirs", user), 409)).detail, /taken by another tenant/);
  t.is(((await bodyOf<object[]>(await call("GET", "/users"))) as { name: string }[]).some(named("theirs")), false);
  t.deepEqual(await bodyOf<object>(await ofOther("GET", "/users")), [{ name: "theirs", stores: "*", scope: "*" }]);
});
const named = (name: string) => (one: { name: string }) => one.name === name;

const faults: [what: string, differs: object, pointers: string[]][] = [
  ["an unknown scope", { scope: "items:destroy" }, ["/scope"]],
  ["the operator's scope", { scope: "platform" }, ["/scope"]],
  ["an unknown store", { stores: ["main", "none"] }, ["/stores/1"]],
  ["a short password", { password: "short" }, ["/password"]],
];
for (const [what, differs, pointers] of faults) {
  test.serial(`a user with ${what} is refused`, async (t) => {
    const answer = await call("PUT", "/users/refused", { ...user, ...differs });
    t.deepEqual(pointersOf(await refused(t, answer, 400)), pointers);
    await refused(t, await call("GET", "/users/refused"), 404);
  });
}

test.serial("an issued token has the granted permissions and none above its tenant", async (t) => {
  const order = { stores: ["main"], scope: "items:read", lifetime: 3600, subject: "till 8" };
  const answer = await call("POST", "/tokens", order);
  t.is(answer.status, 201);
  const { token } = (await answer.json()) as { token: string };
  t.is(await readItems(token), 200);
  t.is(await readItems(token, "/labels"), 403);
  const authorization = `Bearer ${token}`;
  await refused(t, await fetch(`${shelfwire.origin}/api/platform/v1/tenants`, { headers: { authorization } }), 403);
  for (const [differs, pointer] of [
    [{ scope: "platform" }, "/scope"],
    [{ lifetime: 0 }, "/lifetime"],
    [{ stores: ["none"] }, "/stores/0"],
  ] as const)
    t.deepEqual(pointersOf(await refused(t, await call("POST", "/tokens", { ...order, ...differs }), 400)), [pointer]);
});

test.serial("a token is not stored: a repeated call returns no token", async (t) => {
  const order = { stores: "*", scope: "*", lifetime: 60 };
  // Both calls send the same token, because a token without a subject is a caller of its own, and a token issued a second later
  // would be another caller.
  const headers = { "idempotency-key": "one-token", authorization: `Bearer ${await platformToken()}` };
  const first = (await (await call("POST", "/tokens", order, headers)).json()) as { token?: string };
  t.truthy(first.token);
  t.deepEqual(await (await call("POST", "/tokens", order, headers)).json(), { tokenType: "JWT" });
});
