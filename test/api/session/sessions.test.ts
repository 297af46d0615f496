import { hash, randomBytes } from "node:crypto";
import test from "ava";
import { createRecentUsers } from "../../../api/access/login/recent-users.ts";
import { signToken } from "../../../api/access/sign-token.ts";
import { createTickets } from "../../../api/access/tickets.ts";
import { createVerifier } from "../../../api/access/verify-token.ts";
import { revokeTokens } from "../../../api/installation/revoke-tokens.ts";
import { createSessions, MAX_SESSIONS } from "../../../api/session/sessions.ts";
import type { ApiUser } from "../../../records/kinds/tenants.ts";
import { openRevocations } from "../../../records/revocations.ts";
import { tenantKey } from "../../../schemas/keys.ts";
import { PLATFORM } from "../../../schemas/token.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const settings = { JWT_SECRET: "a secret of this test, 32 characters", JWT_ISSUER: "i", JWT_AUDIENCE: "a" };
const signer = { secret: settings.JWT_SECRET, issuer: "i", audience: "a" };
const HOUR = 3_600_000;
const PATIENT_MS = 30_000;
const users = new Map<string, ApiUser>();
const addUser = (name: string, differs: Partial<ApiUser> = {}): ApiUser => {
  const user: ApiUser = { name, tenant: "demo", stores: ["main"], scope: "", role: "shop", ...differs };
  users.set(name, user);
  return user;
};

const withPassword = (hash: string): Pick<ApiUser, "password"> => ({
  password: { salt: "salt", hash, cost: 1, blockSize: 1, parallelization: 1 },
});

/** Opens the sessions of a process whose clock the test sets. */
function openSessions(differs: { secret?: string; now?: () => number } = {}) {
  const { redis, records } = own.system;
  const now = differs.now ?? Date.now;
  const known = { ...settings, ...(differs.secret && { JWT_SECRET: differs.secret }) };
  const isRevoked = openRevocations(records, now, PATIENT_MS);
  return createSessions({
    redis,
    verify: createVerifier(known, now, undefined, isRevoked),
    isRevoked,
    tickets: createTickets(known, now, isRevoked),
    findUser: async (name) => users.get(name),
    noteSeen: (user, at) => void users.set(user.name, { ...user, seenAt: at.toISOString() }),
    now: () => new Date(now()),
    onError: () => {},
    idle: 8 * 3_600,
    lifetime: 48 * 3_600,
  });
}
/** A clock that the test sets. */
function aClock() {
  const clock = { at: Date.now(), now: () => clock.at };
  return clock;
}
const tokenOf = (subject: string, lifetime = "1h") =>
  signToken({ ...signer, lifetime, subject, tenant: "demo", stores: ["main"], scope: "labels:read" });
/** Returns the key under which Redis stores the session of an id. */
const keyOf = (id: string) => `sealed-session:${hash("sha256", id, "base64url")}`;

test("a session has its token's permissions until it ends", async (t) => {
  const sessions = openSessions();
  const { id, permit } = await sessions.begin({ token: await tokenOf("staff") }, "");
  t.deepEqual(await openSessions().read(id), permit);
  t.is(permit.subject, "staff");
  await sessions.end(id);
  t.is(await sessions.read(id), undefined);
});

test("an entry planted in Redis grants no permissions, whatever it says and whoever planted it", async (t) => {
  const { redis } = own.system;
  const id = randomBytes(32).toString("base64url");
  const permit = JSON.stringify({ caller: "sub x", tenant: "", stores: [], scopes: [PLATFORM] });
  const { id: another } = await openSessions().begin({ token: await tokenOf("staff") }, "");
  for (const text of [permit, btoa(permit), (await redis.get(keyOf(another))) ?? "", "", await tokenOf("staff")]) {
    for (const key of [keyOf(id), `session:${hash("sha256", id, "base64url")}`]) await redis.set(key, text);
    t.is(await openSessions().read(id), undefined, text);
  }
});

test("Redis stores neither the ID nor the token of a session, nor its permissions in clear text", async (t) => {
  const { redis } = own.system;
  const token = await tokenOf("staff");
  const { id } = await openSessions().begin({ token }, "");
  const stored = (await redis.get(keyOf(id))) ?? "";
  for (const text of [stored, Buffer.from(stored, "base64").toString("latin1")]) {
    for (const part of [id, token, ...token.split("."), "labels:read"]) t.false(text.includes(part));
  }
});

test("a session ends when the credentials that it started with are no longer valid", async (t) => {
  const rekeyed = { secret: "another secret that has its 32 characters" };
  for (const login of [{ token: await tokenOf("staff") }, { user: addUser("rekeyed") }]) {
    const { id } = await openSessions().begin(login, "");
    t.not(await openSessions().read(id), undefined);
    t.is(await openSessions(rekeyed).read(id), undefined);
  }
});

test("an access token is not a ticket, and a ticket is not an access token", async (t) => {
  const isRevoked = async () => false;
  const tickets = createTickets(settings, Date.now, isRevoked);
  await t.throwsAsync(tickets?.verify(await tokenOf("staff"), "user") ?? Promise.resolve());
  const claims = { tenant: "demo", stores: "*" as const, scope: "items:read" };
  const ticket = (await tickets?.sign("ana", claims, new Date(), new Date(Date.now() + HOUR))) ?? "";
  await t.throwsAsync(createVerifier(settings, Date.now)(ticket));
  t.is(createTickets({ ...settings, JWKS_URL: "https://a/keys" }, Date.now, isRevoked), undefined);
});

test("a session outlives its token's hour while it is used, ends when it is idle, and ends after its lifetime in any case", async (t) => {
  const clock = aClock();
  const sessions = openSessions(clock);
  const { id } = await sessions.begin({ user: addUser("used") }, "");
  for (const hours of [7, 7, 7, 7, 7, 7]) {
    clock.at += hours * HOUR;
    t.not(await sessions.read(id), undefined, `after ${clock.at}`);
  }
  clock.at += 7 * HOUR;
  t.is(await sessions.read(id), undefined, "48 hours are over");
  const { id: idle } = await sessions.begin({ user: addUser("idle") }, "");
  clock.at += 8 * HOUR;
  t.is(await sessions.read(idle), undefined, "8 hours without a call are over");
  t.deepEqual(await sessions.list({ tenant: "demo", caller: "sub idle" }), []);
});

test("a session that started with a token ends with the token", async (t) => {
  // Signed before the clock stops, because the signature has the real time.
  const token = await tokenOf("short", "1h");
  const clock = aClock();
  const { id, secondsLeft } = await openSessions(clock).begin({ token }, "");
  t.true(secondsLeft <= 3_600);
  clock.at += HOUR + 1000;
  t.is(await openSessions(clock).read(id), undefined);
});

test("a user's session has the permissions that its record has now, and ends with the user", async (t) => {
  const sessions = openSessions();
  const { id, permit } = await sessions.begin({ user: addUser("changing") }, "");
  t.true(permit.scopes.has("items:write"));
  addUser("changing", { role: "linker", stores: ["main", "branch"] });
  const { scopes, stores, hasSession, role } = (await sessions.read(id)) ?? t.fail();
  t.false(scopes.has("items:write"));
  t.deepEqual([[...(stores as Set<string>)], hasSession, role], [["main", "branch"], true, "linker"]);
  addUser("changing", { tenant: "other" });
  t.is(await sessions.read(id), undefined, "another tenant's user of the same name");
  users.delete("changing");
  t.is(await sessions.read(id), undefined);
});

test("a new password ends the sessions that started with the former password, and no others", async (t) => {
  const sessions = openSessions();
  const { id: former } = await sessions.begin({ user: addUser("renewed", withPassword("former")) }, "");
  addUser("renewed", { ...withPassword("former"), role: "linker" });
  t.not(await sessions.read(former), undefined, "other rights, the same password");
  const { id } = await sessions.begin({ user: addUser("renewed", withPassword("new")) }, "");
  t.deepEqual([await sessions.read(former), (await sessions.read(id))?.subject], [undefined, "renewed"]);
});

test("a cached user whose password hash no longer matches is read again", async (t) => {
  const stored = ["former", "new"].map((hash) => addUser("cached", withPassword(hash)));
  const recent = createRecentUsers(
    async () => stored.shift(),
    () => 0,
  );
  const has = (hash: string) => (user: ApiUser) => user.password?.hash === hash;
  for (const hash of ["former", "former", "new"]) t.is((await recent.find("cached", has(hash)))?.password?.hash, hash);
});

test("an owner's sessions are listed with their device and last use, and ended one by one or all", async (t) => {
  const clock = aClock();
  const sessions = openSessions(clock);
  const owner = { tenant: "demo", caller: "sub listed" };
  const begin = async (device: string) => (await sessions.begin({ user: addUser("listed") }, device)).id;
  const [phone, desk, other] = [await begin("Chrome, Android"), await begin("Firefox, Linux"), await begin("")];
  clock.at += 30 * 60_000;
  await sessions.read(desk);
  t.is(users.get("listed")?.seenAt, new Date(clock.at).toISOString());
  const listed = await sessions.list(owner);
  t.like(listed[0], { device: "Firefox, Linux", seen: clock.at, begun: clock.at - 30 * 60_000 });
  t.is(listed.length, 3);
  t.is(await sessions.endOf({ ...owner, tenant: "other" }), 0, "another tenant's");
  const named = listed.find(({ device }) => device === "Chrome, Android")?.name ?? "";
  t.is(await sessions.endOf(owner, [named, "none"]), 1);
  t.deepEqual([await sessions.read(phone), (await sessions.read(desk))?.subject], [undefined, "listed"]);
  t.is(await sessions.endOf(owner), 2);
  for (const id of [desk, other]) t.is(await sessions.read(id), undefined);
});

test("a person from the identity provider and a user of the same name have separate sessions", async (t) => {
  const sessions = openSessions();
  const claims = { tenant: "demo", stores: "*" as const, scope: "items:read", role: "head-office" as const };
  const { id } = await sessions.begin({ person: { subject: "twin", claims, idToken: "" } }, "");
  const { permit } = await sessions.begin({ user: addUser("twin") }, "");
  t.is(await sessions.endOf(permit), 1);
  t.is((await sessions.read(id))?.role, "head-office");
});

test("revoking a user ends no session of a person from the identity provider with the same name, and vice versa", async (t) => {
  const clock = aClock();
  const sessions = openSessions(clock);
  const claims = { tenant: "demo", stores: "*" as const, scope: "items:read" };
  const begin = {
    user: async () => (await sessions.begin({ user: addUser("namesake") }, "")).id,
    person: async () => (await sessions.begin({ person: { subject: "namesake", claims, idToken: "" } }, "")).id,
  };
  for (const isPerson of [false, true]) {
    const [user, person] = [await begin.user(), await begin.person()];
    await revokeTokens(own.system, tenantKey("demo"), "namesake", {
      isPerson,
      before: Math.floor(clock.at / 1000) + 1,
    });
    clock.at += 5_000;
    t.deepEqual(
      [await sessions.read(user), await sessions.read(person)].map((permit) => permit === undefined),
      [!isPerson, isPerson],
    );
  }
});

test("a session that was revoked, or started with a former password, is no longer listed", async (t) => {
  // Signed before the clock stops, because the signature has the real time.
  const token = await tokenOf("ended");
  const clock = aClock();
  const sessions = openSessions(clock);
  const owner = { tenant: "demo", caller: "sub ended" };
  const devices = async () => (await sessions.list(owner)).map(({ device }) => device);
  await sessions.begin({ user: addUser("ended", withPassword("former")) }, "former password");
  clock.at += 1_000;
  await sessions.begin({ token }, "token");
  await sessions.begin({ user: addUser("ended", withPassword("new")) }, "new password");
  t.deepEqual((await devices()).sort(), ["new password", "token"]);
  await revokeTokens(own.system, tenantKey("demo"), "ended", { before: Math.floor(clock.at / 1000) + 1 });
  clock.at += 6_000;
  t.deepEqual(await devices(), []);
});

test("an owner has a bounded number of sessions: beyond it, the session that was idle for the longest time ends", async (t) => {
  const clock = aClock();
  const sessions = openSessions(clock);
  const ids: string[] = [];
  for (let count = 0; count <= MAX_SESSIONS; count += 1) {
    ids.push((await sessions.begin({ user: addUser("many") }, "")).id);
    clock.at += 1000;
  }
  t.is((await sessions.list({ tenant: "demo", caller: "sub many" })).length, MAX_SESSIONS);
  t.is(await sessions.read(ids[0] ?? ""), undefined);
  t.not(await sessions.read(ids[1] ?? ""), undefined);
});
