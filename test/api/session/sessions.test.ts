import { hash, randomBytes } from "node:crypto";
import test from "ava";
import { signToken } from "../../../api/access/sign-token.ts";
import { createVerifier } from "../../../api/access/verify-token.ts";
import { createSessions } from "../../../api/session/sessions.ts";
import { PLATFORM } from "../../../schemas/token.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const settings = { JWT_SECRET: "a secret of this test, 32 characters", JWT_ISSUER: "i", JWT_AUDIENCE: "a" };
const signer = { secret: settings.JWT_SECRET, issuer: "i", audience: "a" };

function openSessions(now = Date.now) {
  const { redis } = own.system;
  return createSessions({
    redis,
    verify: createVerifier(settings, now),
    now: () => new Date(now()),
    onError: () => {},
  });
}
const tokenOf = (subject: string, lifetime = "1h") =>
  signToken({ ...signer, lifetime, subject, tenant: "demo", stores: ["main"], scope: "labels:read" });
/** Where Redis has the session of an id. */
const keyOf = (id: string) => `sealed-session:${hash("sha256", id, "base64url")}`;

test("a session has its token's permissions until it ends", async (t) => {
  const sessions = openSessions();
  const { id, permit } = await sessions.begin(await tokenOf("staff"));
  t.deepEqual(await openSessions().read(id), permit);
  t.is(permit.subject, "staff");
  await sessions.end(id);
  t.is(await sessions.read(id), undefined);
});

test("an entry planted in Redis grants no permissions, whatever it says and whoever planted it", async (t) => {
  const { redis } = own.system;
  const id = randomBytes(32).toString("base64url");
  const permit = JSON.stringify({ caller: "sub x", tenant: "", stores: [], scopes: [PLATFORM] });
  const { id: another } = await openSessions().begin(await tokenOf("staff"));
  for (const text of [permit, btoa(permit), (await redis.get(keyOf(another))) ?? "", "", await tokenOf("staff")]) {
    for (const key of [keyOf(id), `session:${hash("sha256", id, "base64url")}`]) await redis.set(key, text);
    t.is(await openSessions().read(id), undefined, text);
  }
});

test("Redis stores neither the ID nor the token of a session, nor its permissions in clear text", async (t) => {
  const { redis } = own.system;
  const token = await tokenOf("staff");
  const { id } = await openSessions().begin(token);
  const stored = (await redis.get(keyOf(id))) ?? "";
  for (const text of [stored, Buffer.from(stored, "base64").toString("latin1")]) {
    for (const part of [id, token, ...token.split("."), "labels:read"]) t.false(text.includes(part));
  }
});

test("a session ends when its token is no longer valid", async (t) => {
  const { id } = await openSessions().begin(await tokenOf("staff", "1h"));
  t.not(await openSessions().read(id), undefined);
  const rekeyed = createVerifier({ ...settings, JWT_SECRET: "another secret that has its 32 characters" }, Date.now);
  const { redis } = own.system;
  t.is(await createSessions({ redis, verify: rekeyed, now: () => new Date(), onError: () => {} }).read(id), undefined);
});
