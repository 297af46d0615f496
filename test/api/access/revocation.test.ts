import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import test from "ava";
import { createUserCheck } from "../../../api/access/check-user.ts";
import { createIdentify } from "../../../api/access/identify.ts";
import { createLoginPauses } from "../../../api/access/login/login-pauses.ts";
import { createRecentUsers } from "../../../api/access/login/recent-users.ts";
import { createRecallCaller } from "../../../api/access/recall-caller.ts";
import { createRecheck } from "../../../api/access/recheck.ts";
import { signToken } from "../../../api/access/sign-token.ts";
import { createTickets } from "../../../api/access/tickets.ts";
import { createVerifier, type Permit } from "../../../api/access/verify-token.ts";
import { createUserVerifier } from "../../../api/access/verify-user.ts";
import { apiUserResource } from "../../../api/installation/api-users.ts";
import { revokeTokens } from "../../../api/installation/revoke-tokens.ts";
import { createTails } from "../../../api/management/subscriptions/tails.ts";
import { createNotifications } from "../../../api/notifications/notification-store.ts";
import { identifyBySession } from "../../../api/session/identify-by-session.ts";
import { createSessions, type Login } from "../../../api/session/sessions.ts";
import { personCaller } from "../../../domain/access/callers.ts";
import { rightsNow } from "../../../domain/notifications/who-is-notified.ts";
import { LABELS } from "../../../queues/publish/streams.ts";
import { apiUsers } from "../../../records/kinds/tenants.ts";
import { openRevocations } from "../../../records/revocations.ts";
import { apiUserKey, tenantKey } from "../../../schemas/keys.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { unchecked } from "../../harness/part-of.ts";

const own = ownSystem();
const DEMO = tenantKey("demo");
const PATIENT_MS = 30_000;
const PASSWORD = "a password of somebody";
const NEW_PASSWORD = "another password of somebody";
const settings = { JWT_SECRET: "a secret of this test, 32 characters", JWT_ISSUER: "i", JWT_AUDIENCE: "a" };

/** Assembles what identifies callers in a process, as `openAccess` and `openApi` do, with a clock that the test sets. */
function aProcess() {
  const { redis, records } = own.system;
  const clock = { at: Date.now(), now: () => clock.at };
  const isRevoked = openRevocations(records, clock.now, PATIENT_MS);
  const verify = createVerifier(settings, clock.now, undefined, isRevoked);
  const findUser = async (name: string) => (await records.read(apiUsers, [apiUserKey(name)])).get(apiUserKey(name));
  const pauses = createLoginPauses({ redis, clock: clock.now, onError: () => {} });
  const users = createUserVerifier({ checkUser: createUserCheck({ findUser, pauses }), findUser, clock: clock.now });
  const sessions = createSessions({
    ...{ redis, verify, isRevoked, tickets: createTickets(settings, clock.now, isRevoked), noteSeen: () => {} },
    findUser: createRecentUsers(findUser, clock.now).find,
    ...{ now: () => new Date(clock.at), onError: () => {}, idle: 8 * 3_600, lifetime: 48 * 3_600 },
  });
  const byCredentials = createIdentify({
    ...{ verify, verifyUser: users.verify, addressOf: () => "192.0.2.1", basePath: "", hasLogin: true },
  });
  return {
    clock,
    sessions,
    identify: identifyBySession(sessions, byCredentials),
    recall: createRecallCaller({ verify, recallUser: users.recall, sessions }),
  };
}

type Process = ReturnType<typeof aProcess>;
type Headers = Record<string, string>;
const users = () => apiUserResource(own.system);
const rights = { stores: ["main"], scope: "labels:read" };
const tokenOf = (subject: string) =>
  signToken({
    ...rights,
    secret: settings.JWT_SECRET,
    issuer: "i",
    audience: "a",
    lifetime: "1h",
    subject,
    tenant: "demo",
  });
const begin = async ({ sessions }: Process, login: Login): Promise<Headers> => ({
  cookie: `shelfwire-session=${(await sessions.begin(login, "")).id}`,
});
async function aUser(name: string) {
  // All stores, since the tenant of this test has no store to name.
  await users().put(DEMO, name, { stores: "*", scope: "labels:read", password: PASSWORD });
  return (await own.system.records.read(apiUsers, [apiUserKey(name)])).get(apiUserKey(name));
}

/** The kinds of callers, each with a function that returns its headers. */
const callers: Readonly<Record<string, (process: Process, name: string) => Promise<Headers>>> = {
  token: async (_, name) => ({ authorization: `Bearer ${await tokenOf(name)}` }),
  "session of a token": async (process, name) => begin(process, { token: await tokenOf(name) }),
  "session of a user": async (process, name) => begin(process, { user: (await aUser(name)) ?? unchecked(undefined) }),
  "session of a person from the provider": (process, name) =>
    begin(process, { person: { subject: name, claims: { tenant: "demo", ...rights }, idToken: "" } }),
  "name and password": async (_, name) => {
    await aUser(name);
    return { authorization: `Basic ${btoa(`${name}:${PASSWORD}`)}` };
  },
};
const bySubject = (_: Process, name: string) => revokeTokens(own.system, DEMO, name);
const byRemoval = async (_: Process, name: string) => void (await users().remove(DEMO, name));
const byPassword = async (_: Process, name: string) =>
  void (await users().put(DEMO, name, { stores: "*", scope: "labels:read", password: NEW_PASSWORD }));
const byOwner = async ({ sessions }: Process, { tenant, caller }: Permit) =>
  void (await sessions.endOf({ tenant, caller }));

/** Each kind of caller, with each event that ends its access. */
const ends: readonly [
  caller: string,
  by: string,
  end: (process: Process, name: string, permit: Permit) => Promise<unknown>,
][] = [
  ["token", "its subject is revoked", bySubject],
  ["session of a token", "its subject is revoked", bySubject],
  ["session of a token", "a logout everywhere", (process, _, permit) => byOwner(process, permit)],
  ["session of a user", "its subject is revoked", bySubject],
  ["session of a user", "a logout everywhere", (process, _, permit) => byOwner(process, permit)],
  ["session of a user", "the user is removed", byRemoval],
  ["session of a user", "a new password", byPassword],
  [
    "session of a person from the provider",
    "the person is revoked",
    (_, name) => revokeTokens(own.system, DEMO, name, { isPerson: true }),
  ],
  ["session of a person from the provider", "a logout everywhere", (process, _, permit) => byOwner(process, permit)],
  ["name and password", "the user is removed", byRemoval],
  ["name and password", "a new password", byPassword],
];

test("a person from the identity provider whose access was revoked receives no more e-mails until the next login", async (t) => {
  const { records, commit, databaseNow } = own.system;
  const notifications = createNotifications({ records, commit, databaseNow, lifetime: 3_600 });
  const owner = { tenant: "demo", caller: personCaller("notified") };
  const rights = async () => {
    const found = await notifications.read({ ...owner, stores: "*", scopes: new Set() });
    return found && rightsNow(found, "demo", undefined, new Date(databaseNow().getTime() + 1_000));
  };
  const logIn = () => notifications.noteLogin({ ...owner, stores: ["main"], scope: "labels:read" });
  await logIn();
  t.true((await rights())?.scopes.has("labels:read"));
  await revokeTokens(own.system, DEMO, "notified");
  t.not(await rights(), undefined, "revoking the user of the same name does not affect the person");
  await revokeTokens(own.system, DEMO, "notified", { isPerson: true });
  t.is(await rights(), undefined);
  await logIn();
  t.not(await rights(), undefined);
});

for (const [caller, by, end] of ends)
  test(`calls, pages and quiet tails end within a minute: ${caller}, ${by}`, async (t) => {
    const process = aProcess();
    const { clock, identify, recall } = process;
    const name = `${caller} ${by}`.replaceAll(/[^a-z]/g, "-").slice(0, 60);
    const headers = (await callers[caller]?.(process, name)) ?? {};
    const request = unchecked<IncomingMessage>({ method: "GET", headers });
    const permit = await identify(request);
    const tails = createTails({ redis: own.system.redis, clock: clock.now, eventsOf: async () => [] });
    t.teardown(() => tails.close());
    const isPermitted = createRecheck({ identify, request, assertPermitted: () => {}, clock: clock.now });
    const tail = tails.open({ tenant: DEMO, topic: LABELS, after: undefined, isPermitted }) as Readable;
    const seen = { comments: 0, hasEnded: false };
    tail.on("data", () => {
      seen.comments += 1;
    });
    tail.once("end", () => {
      seen.hasEnded = true;
    });
    await eventually("the tail is open and quiet", async () => {
      clock.at += 15_000;
      return seen.comments > 1;
    });
    await end(process, name, permit);
    clock.at += 60_000;
    await t.throwsAsync(identify(request), { name: "ProblemError" });
    t.is(await recall(request, Promise.resolve()), undefined);
    await eventually("the tail has ended", async () => seen.hasEnded);
  });
