import test from "ava";
import { SignJWT } from "jose";
import { scopes } from "../../../schemas/token.ts";
import type { Served } from "../../harness/served.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { refused } from "../calls.ts";

const shelfwire = servedStack({ workers: [] });

type Order = Parameters<Served["token"]>[0];
const list = (authorization: string) => shelfwire.call("GET", "/items", undefined, { authorization });
const listWith = async (order: Order) => list(`Bearer ${await shelfwire.token(order)}`);

/** Every operation, with the scope that it needs. */
const operations = [
  ["PATCH", "/items", "items:write"],
  ["GET", "/items", "items:read"],
  ["PATCH", "/items/apple", "items:write"],
  ["GET", "/items/apple", "items:read"],
  ["DELETE", "/items/apple", "items:write"],
  ["GET", "/items-result/1", "items:read"],
  ["PATCH", "/labels", "labels:write"],
  ["GET", "/labels", "labels:read"],
  ["GET", "/labels/D4", "labels:read"],
  ["GET", "/labels/D4/image", "labels:read"],
  ["POST", "/labels/link-single", "labels:write"],
  ["GET", "/labels-result/1", "labels:read"],
] as const;

/** The attributes of a problem's challenge, without the realm. */
const challengeOf = (answer: Response) =>
  answer.headers.get("www-authenticate")?.replace('Bearer realm="shelfwire"', "");

/** Calls may come with name and password instead. */
const OR_BASIC = ', Basic realm="shelfwire", charset="UTF-8"';

test("a call without a token returns 401, lists both authentication schemes, and names no error", async (t) => {
  const answer = await fetch(`${shelfwire.base}/items`);
  t.is(challengeOf(answer), OR_BASIC);
  t.is((await refused(t, answer, 401)).type, "/problems/unauthenticated");
});

test("a scheme other than Bearer and Basic counts as no token", async (t) => {
  for (const header of [await shelfwire.token(), "Token abc", "Bearerabc", "Basicabc"]) {
    const answer = await list(header);
    t.is(challengeOf(answer), OR_BASIC, header);
    t.is((await refused(t, answer, 401)).type, "/problems/unauthenticated");
  }
});

test("the scheme is case-insensitive, and several spaces may follow", async (t) => {
  t.is((await list(`bearer ${await shelfwire.token()}`)).status, 200);
  t.is((await list(`BEARER   ${await shelfwire.token()}`)).status, 200);
});

for (const header of ["Bearer", "Bearer a b", "Bearer a, Bearer b", "bearer \t"]) {
  test(`the header Authorization: ${header} returns 400 invalid_request`, async (t) => {
    const answer = await list(header);
    t.regex(
      challengeOf(answer) ?? "",
      /^, error="invalid_request", error_description="[\x20\x21\x23-\x5b\x5d-\x7e]+"$/,
    );
    t.is((await refused(t, answer, 400)).type, "/problems/malformed-authorization");
  });
}

for (const garbage of ["garbage", "a.b.c", "..", "%00", '"', "é", "eyJhbGciOiJIUzI1NiJ9.e30.x", "x".repeat(8_000)]) {
  test(`the token ${garbage.slice(0, 40)} returns 401 invalid_token`, async (t) => {
    const answer = await list(`Bearer ${garbage}`);
    t.regex(challengeOf(answer) ?? "", /^, error="invalid_token", error_description="[\x20\x21\x23-\x5b\x5d-\x7e]+"$/);
    const { type, detail } = await refused(t, answer, 401);
    t.is(type, "/problems/invalid-token");
    t.false(garbage.length > 3 && detail.includes(garbage), "a token is never shown");
  });
}

test("an unsigned token returns 401", async (t) => {
  const [, payload] = (await shelfwire.token()).split(".");
  const header = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  await refused(t, await list(`Bearer ${header}.${payload}.`), 401);
});

test("a token with altered claims returns 401", async (t) => {
  const [header, , signature] = (await shelfwire.token({ scope: "items:read" })).split(".");
  const [, payload] = (await shelfwire.token()).split(".");
  await refused(t, await list(`Bearer ${header}.${payload}.${signature}`), 401);
});

test("an expired token returns 401", async (t) => {
  await refused(t, await listWith({ lifetime: "1 hour ago" }), 401);
});

test("a token without an expiry returns 401", async (t) => {
  const token = await new SignJWT({ tenant: "demo", stores: "*", scope: "items:read" })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("shelfwire")
    .setAudience("shelfwire")
    .sign(new TextEncoder().encode("a secret for tests that has its 32 characters"));
  await refused(t, await list(`Bearer ${token}`), 401);
});

test("a token of another secret, issuer or audience returns 401", async (t) => {
  await refused(t, await listWith({ secret: "another secret that has its 32 characters" }), 401);
  await refused(t, await listWith({ issuer: "someone else" }), 401);
  await refused(t, await listWith({ audience: "something else" }), 401);
});

test("a token without a required claim returns 401", async (t) => {
  await refused(t, await listWith({ tenant: undefined }), 401);
  await refused(t, await listWith({ stores: undefined }), 401);
  await refused(t, await listWith({ scope: undefined }), 401);
});

test("another tenant's token returns 403", async (t) => {
  await refused(t, await listWith({ tenant: "other" }), 403);
});

test("a token that does not name the store returns 403", async (t) => {
  await refused(t, await listWith({ stores: ["branch"] }), 403);
  await refused(t, await listWith({ stores: [] }), 403);
});

test("a token that names the store is accepted for it", async (t) => {
  t.is((await listWith({ stores: ["branch", "main"] })).status, 200);
});

for (const [method, path, scope] of operations) {
  test(`${method} ${path} requires the scope ${scope}: without it 403 insufficient_scope`, async (t) => {
    const others = scopes.filter((one) => one !== scope).join(" ");
    const authorization = `Bearer ${await shelfwire.token({ scope: others })}`;
    const answer = await shelfwire.call(method, path, method === "GET" ? undefined : "{}", { authorization });
    t.is(challengeOf(answer), `, error="insufficient_scope", scope="${scope}"`);
    t.is((await refused(t, answer, 403)).type, "/problems/insufficient-scope");
  });

  test(`${method} ${path} requires only the scope ${scope}`, async (t) => {
    const authorization = `Bearer ${await shelfwire.token({ scope })}`;
    const answer = await shelfwire.call(method, path, method === "GET" ? undefined : "{}", { authorization });
    t.false([401, 403].includes(answer.status), await answer.text());
  });
}

test("an unknown store returns 404", async (t) => {
  const authorization = `Bearer ${await shelfwire.token()}`;
  const answer = await fetch(`${shelfwire.origin}/t/demo/s/nowhere/api/public/core/v1/items`, {
    headers: { authorization },
  });
  t.is((await refused(t, answer, 404)).type, "/problems/unknown-store");
});

test("an unknown tenant returns 404 for a token of its name", async (t) => {
  const authorization = `Bearer ${await shelfwire.token({ tenant: "nobody" })}`;
  const answer = await fetch(`${shelfwire.origin}/t/nobody/s/main/api/public/core/v1/items`, {
    headers: { authorization },
  });
  t.is((await refused(t, answer, 404)).type, "/problems/unknown-store");
});
