import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { SignJWT, UnsecuredJWT } from "jose";
import { signToken, type TokenOrder } from "../../../api/access/sign-token.ts";
import { createVerifier, TokenError } from "../../../api/access/verify-token.ts";
import { scopes } from "../../../schemas/token.ts";
import { obtainSecrets, readSecrets } from "../../../scripts/start/secrets.ts";

function makeFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), "secrets-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("an instance that was never started has no secrets", (t) => {
  t.is(readSecrets(makeFolder(t)), undefined);
});

test("secrets are created once and stored", (t) => {
  const folder = join(makeFolder(t), "data");
  const secrets = obtainSecrets(folder);
  t.deepEqual(obtainSecrets(folder), secrets);
  t.deepEqual(readSecrets(folder), secrets);
});

test("every instance has its own secrets of 256 bits, a different secret for each use", (t) => {
  const made = Array.from({ length: 20 }, () => obtainSecrets(makeFolder(t))).flatMap(({ jwt, labelServer }) => [
    jwt,
    labelServer,
  ]);
  t.is(new Set(made).size, 40);
  t.true(made.every((secret) => Buffer.from(secret, "base64url").length === 32));
});

test("only the owner may read the secrets", (t) => {
  const folder = makeFolder(t);
  obtainSecrets(folder);
  t.is(statSync(join(folder, "secrets.json")).mode & 0o777, 0o600);
});

const SECRET = "a secret of the tests, long enough";
const HOUR_MS = 3_600_000;
const order: TokenOrder = {
  secret: SECRET,
  issuer: "shelfwire",
  audience: "shelfwire",
  lifetime: "1h",
  tenant: "demo",
  stores: ["main", "west"],
  scope: "items:read items:write",
};
const settings = { JWT_SECRET: SECRET, JWT_ISSUER: "shelfwire", JWT_AUDIENCE: "shelfwire" };
const verify = createVerifier(settings, Date.now);

test("a token grants the tenant, stores and scopes for which it was issued", async (t) => {
  const { caller: _, ...allowed } = await verify(await signToken(order));
  t.deepEqual(allowed, {
    tenant: "demo",
    stores: new Set(["main", "west"]),
    scopes: new Set(["items:read", "items:write"]),
  });
});

test("* means all stores", async (t) => {
  t.is((await verify(await signToken({ ...order, stores: "*" }))).stores, "*");
});

test("* means all scopes", async (t) => {
  t.deepEqual([...(await verify(await signToken({ ...order, scope: "*" }))).scopes], [...scopes]);
});

test("an unknown scope grants nothing", async (t) => {
  const { scopes: allowed } = await verify(await signToken({ ...order, scope: "items:read items:destroy" }));
  t.deepEqual([...allowed], ["items:read"]);
});

const refused: [why: string, change: Partial<TokenOrder>][] = [
  ["another secret", { secret: "another secret, just as long as that" }],
  ["another issuer", { issuer: "somebody else" }],
  ["another audience", { audience: "something else" }],
  ["an expired lifetime", { lifetime: "-1s" }],
];

for (const [why, change] of refused) {
  test(`a token with ${why} is refused every time`, async (t) => {
    const token = await signToken({ ...order, ...change });
    await t.throwsAsync(verify(token), { instanceOf: TokenError });
    await t.throwsAsync(verify(token), { instanceOf: TokenError });
  });
}

test("an accepted token is refused after its lifetime", async (t) => {
  let time = Date.now();
  const verify = createVerifier(settings, () => time);
  const token = await signToken({ ...order, lifetime: "1h" });
  await t.notThrowsAsync(verify(token));
  time += HOUR_MS - 60_000;
  await t.notThrowsAsync(verify(token));
  time += 120_000;
  await t.throwsAsync(verify(token), { instanceOf: TokenError, message: "The token has expired" });
});

const claims = { tenant: "demo", stores: ["main"], scope: "items:read" };
const sign = (payload: Record<string, unknown>, lifetime?: string) => {
  const token = new SignJWT(payload)
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("shelfwire")
    .setAudience("shelfwire");
  if (lifetime) token.setExpirationTime(lifetime);
  return token.sign(new TextEncoder().encode(SECRET));
};

test("a token with all claims is accepted, whichever program signed it with the secret", async (t) => {
  t.is((await verify(await sign(claims, "1h"))).tenant, "demo");
});

for (const claim of ["tenant", "stores", "scope"]) {
  test(`a token without ${claim} is refused, and the message names the claim`, async (t) => {
    const rest = Object.fromEntries(Object.entries(claims).filter(([name]) => name !== claim));
    await t.throwsAsync(sign(rest, "1h").then(verify), { instanceOf: TokenError, message: new RegExp(claim) });
  });

  test(`a token whose ${claim} is a number is refused`, async (t) => {
    await t.throwsAsync(sign({ ...claims, [claim]: 1 }, "1h").then(verify), { instanceOf: TokenError });
  });
}

test("a token that never expires is refused", async (t) => {
  await t.throwsAsync(sign(claims).then(verify), { instanceOf: TokenError });
});

test("an unsigned token is refused", async (t) => {
  const unsigned = new UnsecuredJWT(claims).setIssuer("shelfwire").setAudience("shelfwire").setExpirationTime("1h");
  await t.throwsAsync(verify(unsigned.encode()), { instanceOf: TokenError });
});

test("an altered token is refused", async (t) => {
  const [header, , signature] = (await signToken(order)).split(".");
  const [, payload] = (await signToken({ ...order, tenant: "another" })).split(".");
  await t.throwsAsync(verify([header, payload, signature].join(".")), { instanceOf: TokenError });
});

for (const token of ["", "x", "a.b.c", "null"]) {
  test(`"${token}" is not a token`, async (t) => {
    await t.throwsAsync(verify(token), { instanceOf: TokenError });
  });
}

test("a verifier requires a secret or keys", (t) => {
  t.throws(() => createVerifier({ ...settings, JWT_SECRET: undefined }, Date.now), {
    message: /neither JWKS_URL nor JWT_SECRET/,
  });
});

test("the scope * means every scope", async (t) => {
  const { scopes: granted } = await verify(await sign({ ...claims, scope: "*" }, "1h"));
  t.deepEqual([...granted].sort(), [...scopes].sort());
});
