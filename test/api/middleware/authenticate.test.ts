import test from "ava";
import { SignJWT } from "jose";
import type { Served } from "../../harness/served.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { challengeOf, refused } from "../calls.ts";

const shelfwire = servedStack({ workers: [] });

type Order = Parameters<Served["token"]>[0];
const list = (authorization: string) => shelfwire.call("GET", "/items", undefined, { authorization });
const listWith = async (order: Order) => list(`Bearer ${await shelfwire.token(order)}`);

/** The challenge's second part: calls may send a name and a password instead of a token. */
const OR_BASIC = ', Basic realm="shelfwire", charset="UTF-8"';

test("a call without a token returns 401, lists both authentication schemes, and names no error", async (t) => {
  const answer = await fetch(`${shelfwire.base}/items`);
  t.is(challengeOf(answer), OR_BASIC);
  t.is((await refused(t, answer, 401)).type, "/problems/unauthenticated");
});

test("a scheme other than Bearer and Basic does not count as a token", async (t) => {
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

test("a token with another secret, issuer or audience returns 401", async (t) => {
  await refused(t, await listWith({ secret: "another secret that has its 32 characters" }), 401);
  await refused(t, await listWith({ issuer: "someone else" }), 401);
  await refused(t, await listWith({ audience: "something else" }), 401);
});

test("a token without a required claim returns 401", async (t) => {
  await refused(t, await listWith({ tenant: undefined }), 401);
  await refused(t, await listWith({ stores: undefined }), 401);
  await refused(t, await listWith({ scope: undefined }), 401);
});
