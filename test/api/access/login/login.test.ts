import test, { type ExecutionContext } from "ava";
import { decodeJwt, generateKeyPair, SignJWT } from "jose";
import { hashPassword } from "../../../../api/access/login/passwords.ts";
import { createInvitations } from "../../../../api/installation/invitations.ts";
import { type ApiUser, apiUsers } from "../../../../records/kinds/tenants.ts";
import { apiUserKey, tenantKey } from "../../../../schemas/keys.ts";
import { eventually } from "../../../harness/eventually.ts";
import { openShelfwire, type Shelfwire } from "../../../harness/shelfwire.ts";
import { refused } from "../../calls.ts";

const PASSWORD = "correct horse: battery štäple";
const users: Omit<ApiUser, "password">[] = [
  { name: "till", tenant: "demo", stores: ["main"], scope: "items:read" },
  { name: "office", tenant: "demo", stores: "*", scope: "*" },
  { name: "stranger", tenant: "other", stores: "*", scope: "*" },
  ...["paused", "reset", "guessed"].map((name) => ({ name, tenant: "demo", stores: "*" as const, scope: "*" })),
];

let shelfwire: Shelfwire;
let elsewhere: Shelfwire;
test.before(async () => {
  // Each test has its own address, sent as a proxy would in X-Forwarded-For.
  shelfwire = await openShelfwire({ workers: [], settings: { TOKEN_LIFETIME: "600", TRUSTED_PROXIES: "1" } });
  elsewhere = await openShelfwire({ workers: [], settings: { JWKS_URL: "http://127.0.0.1:9/keys" } });
  const password = await hashPassword(PASSWORD);
  for (const user of users)
    await shelfwire.system.commit.change(apiUsers, [apiUserKey(user.name)], () => ({ ...user, password }), "bulk");
});
test.after.always(() => Promise.all([shelfwire, elsewhere].map((one) => one.close())));

const PATH = "/api/public/auth/v1/login";
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

function logIn(name: string, password = PASSWORD, below = "", from = name): Promise<Response> {
  const headers = { authorization: basic(`${name}:${password}`), "x-forwarded-for": from };
  return fetch(`${shelfwire.origin}${below}${PATH}`, { headers });
}

async function tokenOf(t: ExecutionContext, answer: Response): Promise<string> {
  t.is(answer.status, 200);
  t.is(answer.headers.get("cache-control"), "private, no-store");
  const { token, ...rest } = (await answer.json()) as { token: string };
  t.deepEqual(rest, { tokenType: "JWT" });
  return token;
}

async function isWrong(t: ExecutionContext, answer: Response): Promise<string> {
  t.is(answer.headers.get("www-authenticate"), 'Basic realm="shelfwire", charset="UTF-8"');
  const { type, detail } = await refused(t, answer, 401);
  t.is(type, "/problems/wrong-credentials");
  return detail;
}

test("name and password return a token with the user's permissions and lifetime", async (t) => {
  const token = await tokenOf(t, await logIn("till"));
  const { sub, iat = 0, exp = 0, iss, aud } = decodeJwt(token);
  t.deepEqual(
    { sub, lifetime: exp - iat, iss, aud },
    { sub: "till", lifetime: 600, iss: "shelfwire", aud: "shelfwire" },
  );
  const authorization = `Bearer ${token}`;
  t.is((await shelfwire.call("GET", "/items", undefined, { authorization })).status, 200);
  await refused(t, await shelfwire.call("PATCH", "/items", [{ itemId: "apple" }], { authorization }), 403);
  await refused(t, await shelfwire.call("GET", "/labels", undefined, { authorization }), 403);
});

test("at a store's address only users of that store can log in", async (t) => {
  for (const name of ["till", "office"]) await tokenOf(t, await logIn(name, PASSWORD, "/t/demo/s/main"));
  t.is((await refused(t, await logIn("till", PASSWORD, "/t/demo/s/branch"), 403)).type, "/problems/forbidden");
  await refused(t, await logIn("stranger", PASSWORD, "/t/demo/s/main"), 403);
  await refused(t, await logIn("office", PASSWORD, "/t/other/s/main"), 403);
  await isWrong(t, await logIn("till", "wrong password", "/t/demo/s/branch", "another address"));
});

test("a wrong password and an unknown name return the same response", async (t) => {
  t.is(await isWrong(t, await logIn("office", "wrong")), await isWrong(t, await logIn("nobody", "wrong")));
  await isWrong(t, await logIn("nobody", PASSWORD));
  await isWrong(t, await logIn("__proto__", PASSWORD));
  await isWrong(t, await logIn("till/../office", PASSWORD));
  await isWrong(t, await logIn("x".repeat(4_000), PASSWORD));
});

for (const [what, header] of [
  ["no header", undefined],
  ["a token", "Bearer abc"],
  ["no colon", basic("till")],
  ["nothing", "Basic"],
  ["text that is not base64", "Basic till:password"],
  ["two words", `${basic("till:a")} ${basic("till:b")}`],
] as const) {
  test(`${what} instead of credentials returns 401`, async (t) => {
    const headers = { "x-forwarded-for": what, ...(header !== undefined && { authorization: header }) };
    await isWrong(t, await fetch(`${shelfwire.origin}${PATH}`, { headers }));
  });
}

test("after several failures even the right password is refused until the pause is over, and each pause is longer", async (t) => {
  for (let failure = 0; failure < 5; failure += 1) await isWrong(t, await logIn("paused", "wrong"));
  const paused = await eventually("a pause of a few seconds, in which the right password is sent", async () => {
    const answer = await logIn("paused", "wrong");
    if (answer.status !== 429 || Number(answer.headers.get("retry-after")) < 4) return false;
    // If the pause is over when this call arrives, the call logs in, and the failures start again.
    const right = await logIn("paused", PASSWORD);
    return right.status === 429 && [answer, right];
  });
  for (const answer of paused) t.is((await refused(t, answer, 429)).type, "/problems/too-many-failed-logins");
  await tokenOf(t, await logIn("paused", PASSWORD, "", "another address"));
  const answer = await eventually("a login", async () => {
    const later = await logIn("paused");
    return later.status === 200 && later;
  });
  await tokenOf(t, answer);
  await isWrong(t, await logIn("paused", "wrong"));
  await tokenOf(t, await logIn("paused"));
});

test("a success resets the count of failures", async (t) => {
  for (let round = 0; round < 3; round += 1) {
    for (let failure = 0; failure < 4; failure += 1) await isWrong(t, await logIn("reset", "wrong"));
    await tokenOf(t, await logIn("reset"));
  }
});

test("concurrent guesses do not allow more attempts", async (t) => {
  const answers = await Promise.all(Array.from({ length: 40 }, (_, guess) => logIn("guessed", `guess ${guess}`)));
  const tried = answers.filter(({ status }) => status === 401).length;
  // The pause doubles with each failure: an eleventh attempt would have to wait half a minute.
  t.true(tried >= 5 && tried <= 10, `${tried} passwords were tried`);
  t.true(answers.every(({ status }) => [401, 429, 503].includes(status)));
});

test("if another issuer signs tokens, login returns 404, and calls return 503 while that issuer's keys cannot be fetched", async (t) => {
  const headers = { authorization: basic(`till:${PASSWORD}`) };
  const answer = await fetch(`${elsewhere.origin}${PATH}`, { headers });
  t.is((await refused(t, answer, 404)).type, "/problems/no-login");
  const { privateKey } = await generateKeyPair("RS256");
  const token = await new SignJWT({}).setProtectedHeader({ alg: "RS256", kid: "key-1" }).sign(privateKey);
  const call = await elsewhere.call("GET", "/items", undefined, { authorization: `Bearer ${token}` });
  t.truthy(call.headers.get("retry-after"));
  t.is((await refused(t, call, 503)).type, "/problems/issuer-unavailable");
});

test("login accepts only GET and leaves no password in Redis", async (t) => {
  const answer = await fetch(`${shelfwire.origin}${PATH}`, { method: "POST" });
  t.is(answer.headers.get("allow"), "GET, HEAD, OPTIONS");
  await refused(t, answer, 405);
  const keys = await shelfwire.system.redis.keys("*");
  t.notRegex(keys.join(" "), /horse|guess \d/);
});

test("if another issuer signs tokens, an earlier invitation does not start a session", async (t) => {
  const invitations = createInvitations(elsewhere.system, () => new Date());
  const { path } = await invitations.invite(tenantKey("demo"), "late", { stores: "*", role: "shop" }, "ana", () => {});
  t.is((await fetch(`${elsewhere.origin}${path}`)).status, 404);
});
