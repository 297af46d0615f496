import test from "ava";
import { decodeJwt, exportSPKI, generateKeyPair, SignJWT } from "jose";
import { signToken } from "../../../api/access/sign-token.ts";
import { createVerifier, TokenError } from "../../../api/access/verify-token.ts";
import { CLAIMS, NAMES, now, openIssuer, refusal, SECRET, verifierOf } from "./an-issuer.ts";

for (const alg of ["RS256", "PS256", "ES256", "EdDSA"]) {
  test(`a token that the issuer signed with ${alg} is accepted`, async (t) => {
    const issuer = await openIssuer(t, alg);
    const permit = await verifierOf(issuer.url)(await issuer.sign({ sub: "till 7" }));
    t.like(permit, { tenant: "demo", subject: "till 7" });
    t.deepEqual([[...permit.stores], [...permit.scopes]], [["main"], ["items:read"]]);
  });
}

test("a token with the scope platform and no tenant is the operator's, and has no access to a tenant", async (t) => {
  const issuer = await openIssuer(t);
  const permit = await verifierOf(issuer.url)(
    await issuer.sign({ tenant: undefined, stores: undefined, scope: "platform" }),
  );
  t.is(permit.tenant, "");
  t.deepEqual([[...permit.stores], [...permit.scopes]], [[], ["platform"]]);
});

test("a token with a tenant never has the scope platform, and a token without a tenant has no other scope", async (t) => {
  const issuer = await openIssuer(t);
  const verify = verifierOf(issuer.url);
  const permit = await verify(await issuer.sign({ scope: "platform items:read" }));
  t.deepEqual([...permit.scopes], ["items:read"]);
  t.deepEqual([...(await verify(await issuer.sign({ scope: "platform" }))).scopes], []);
  await t.throwsAsync(verify(await issuer.sign({ tenant: undefined, scope: "platform items:read" })), {
    instanceOf: TokenError,
  });
});

test("invalid claims are refused, each by its name", async (t) => {
  const issuer = await openIssuer(t);
  const verify = verifierOf(issuer.url);
  for (const [claims, reason] of [
    [{ exp: now() - 60 }, "The token has expired"],
    [{ exp: undefined }, "The claim exp of the token is missing"],
    [{ exp: "soon" }, "The claim exp of the token is invalid"],
    [{ nbf: now() + 3_600 }, "The claim nbf of the token is invalid"],
    [{ iat: now() + 3_600 }, "The claim iat of the token is invalid"],
    [{ sub: 7 }, "The claim sub of the token is invalid"],
    [{ iss: "https://other.example" }, "The claim iss of the token is invalid"],
    [{ iss: undefined }, "The claim iss of the token is missing"],
    [{ aud: "other" }, "The claim aud of the token is invalid"],
    [{ aud: ["other", "another"] }, "The claim aud of the token is invalid"],
    [{ aud: undefined }, "The claim aud of the token is missing"],
    [{ tenant: undefined }, "The claim tenant of the token is missing"],
    [{ tenant: 7 }, "The claim tenant of the token is invalid"],
    [{ stores: "main" }, "The claim stores of the token is invalid"],
    [{ scope: ["items:read"] }, "The claim scope of the token is invalid"],
  ] as const)
    t.is(await refusal(t, verify(await issuer.sign(claims))), reason, JSON.stringify(claims));
});

test("an audience in a list is accepted, and so is a clock skew of a few seconds", async (t) => {
  const issuer = await openIssuer(t);
  const verify = verifierOf(issuer.url);
  await t.notThrowsAsync(verify(await issuer.sign({ aud: ["other", "shelfwire"] })));
  await t.notThrowsAsync(verify(await issuer.sign({ nbf: now() + 3 })));
});

test("a token signed by another key is refused, even under a known key ID", async (t) => {
  const issuer = await openIssuer(t);
  const { privateKey } = await generateKeyPair("RS256");
  t.is(
    await refusal(t, verifierOf(issuer.url)(await issuer.sign({}, privateKey))),
    "The signature of the token is invalid",
  );
});

test("a published key is never accepted as a shared secret", async (t) => {
  const issuer = await openIssuer(t);
  const secret = new TextEncoder().encode(await exportSPKI(issuer.publicKey()));
  const forged = await issuer.sign({}, secret, { alg: "HS256" });
  t.is(
    await refusal(t, verifierOf(issuer.url)(forged)),
    "The token is signed with an algorithm that is not accepted here",
  );
});

test("an unsigned token is refused, whatever it claims", async (t) => {
  const issuer = await openIssuer(t);
  const [, payload] = (await issuer.sign()).split(".");
  for (const verify of [verifierOf(issuer.url), createVerifier({ ...NAMES, JWT_SECRET: SECRET }, Date.now)]) {
    for (const alg of ["none", "None", "NONE"]) {
      const header = Buffer.from(JSON.stringify({ alg })).toString("base64url");
      await refusal(t, verify(`${header}.${payload}.`));
    }
  }
});

test("with a shared secret, tokens signed by a key pair are refused", async (t) => {
  const issuer = await openIssuer(t);
  const verify = createVerifier({ ...NAMES, JWT_SECRET: SECRET }, Date.now);
  t.is(
    await refusal(t, verify(await issuer.sign())),
    "The token is signed with an algorithm that is not accepted here",
  );
});

test("the caller is the token's sub, else its client, else its jti, else the signed content; never the token's text", async (t) => {
  const issuer = await openIssuer(t, "ES256");
  const verify = verifierOf(issuer.url);
  const callerOf = async (claims: object) => (await verify(await issuer.sign(claims))).caller;
  t.is(await callerOf({ sub: "till 7", jti: "one" }), "sub till 7");
  t.is(await callerOf({ client_id: "erp", azp: "other", jti: "one" }), "client erp");
  t.is(await callerOf({ azp: "erp", jti: "two" }), "client erp");
  t.is(await callerOf({ jti: "one" }), "jti one");
  const claims = { exp: now() + 3_600 };
  const [first, second] = [await issuer.sign(claims), await issuer.sign(claims)];
  t.not(first, second, "ECDSA signs the same content differently each time");
  const { caller } = await verify(first);
  t.is((await verify(second)).caller, caller);
  t.regex(caller, /^signed [\w-]{43}$/);
  t.false(first.includes(caller.slice(7)));
  t.not(await callerOf({ exp: now() + 3_601 }), caller);
});

/** Other spellings of a token that lenient decoders accept. */
const spellings: [string, (token: string) => string][] = [
  ["a tab", (token) => `${token.slice(0, -5)}\t${token.slice(-5)}`],
  ["a blank", (token) => `${token.slice(0, -5)} ${token.slice(-5)}`],
  ["a line break", (token) => `${token}\n`],
  ["padding", (token) => `${token}=`],
  ["more padding", (token) => `${token}==`],
  ["the plain base64 alphabet", (token) => token.replace(/-(?=[^.]*$)/g, "+").replace(/_(?=[^.]*$)/g, "/")],
  ["different unused bits", (token) => token.slice(0, -1) + nextOf(token.at(-1) ?? "")],
];
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const nextOf = (character: string) => ALPHABET.charAt(ALPHABET.indexOf(character) ^ 1);
for (const [what, spell] of spellings) {
  test(`a token has one spelling: with ${what} it is unreadable`, async (t) => {
    const verify = createVerifier({ ...NAMES, JWT_SECRET: SECRET }, Date.now);
    const sign = (count: number) =>
      new SignJWT({ ...CLAIMS, iss: NAMES.JWT_ISSUER, aud: "shelfwire", exp: now() + 3_600, count })
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode(SECRET));
    let count = 0;
    let token = await sign(count);
    while (spell(token) === token) token = await sign(++count);
    await t.notThrowsAsync(verify(token));
    t.is(await refusal(t, verify(spell(token))), "The token cannot be decoded");
  });
}

test("a cached token is valid only until it expires", async (t) => {
  const issuer = await openIssuer(t);
  let time = Date.now();
  const verify = verifierOf(issuer.url, () => time);
  const token = await issuer.sign({ exp: now() + 3_600 });
  const permit = await verify(token);
  t.is(await verify(token), permit);
  time += 3_600_000;
  t.not(await verify(token), permit, "the token is verified again: the issuer's clock may be a little behind");
  time += 10_000;
  t.is(await refusal(t, verify(token)), "The token has expired");
});

test("while a secret is being replaced, tokens signed with either secret are accepted, and tokens signed with a third are not", async (t) => {
  const [former, next] = ["f".repeat(32), "n".repeat(32)];
  const verify = createVerifier({ ...NAMES, JWT_SECRET: next, JWT_SECRET_OTHER: former }, Date.now);
  const signed = (secret: string, lifetime = "1h") =>
    signToken({
      secret,
      ...{ issuer: NAMES.JWT_ISSUER, audience: NAMES.JWT_AUDIENCE },
      lifetime,
      tenant: "demo",
      stores: "*",
      scope: "*",
    });
  for (const secret of [former, next]) t.is((await verify(await signed(secret))).tenant, "demo");
  await t.throwsAsync(verify(await signed("t".repeat(32))), { message: /signature/ });
  for (const secret of [former, next]) await t.throwsAsync(verify(await signed(secret, "-1h")), { message: /expired/ });
});

test("a token that is revoked after its verification is refused; its subject and its time of issue in seconds decide", async (t) => {
  let before = 0;
  const seen: object[] = [];
  const verify = createVerifier({ ...NAMES, JWT_SECRET: SECRET }, Date.now, undefined, async (token) => {
    seen.push(token);
    return (token.issuedAt ?? 0) < before;
  });
  const token = await signToken({
    ...{
      secret: SECRET,
      ...{ issuer: NAMES.JWT_ISSUER, audience: NAMES.JWT_AUDIENCE },
      lifetime: "1h",
      subject: "till",
    },
    ...{ tenant: "demo", stores: "*", scope: "*" },
  });
  const issuedAt = decodeJwt(token).iat ?? 0;
  await verify(token);
  t.deepEqual(seen, [{ tenant: "demo", subject: "till", issuedAt }]);
  before = issuedAt + 1;
  await t.throwsAsync(verify(token), { instanceOf: TokenError, message: "The token has been revoked" });
});
