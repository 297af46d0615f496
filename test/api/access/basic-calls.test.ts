import test from "ava";
import { hashPassword } from "../../../api/access/login/passwords.ts";
import { type ApiUser, apiUsers } from "../../../records/kinds/tenants.ts";
import { apiUserKey } from "../../../schemas/keys.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownStack } from "../../harness/own.ts";
import { openOwnApi } from "../../harness/processes/own-api.ts";
import { numberOf, refused } from "../calls.ts";

const PASSWORD = "correct horse: battery štäple";
const users: Omit<ApiUser, "password">[] = [
  { name: "till", tenant: "demo", stores: ["main"], scope: "items:read" },
  { name: "office", tenant: "demo", stores: "*", scope: "*" },
  { name: "stranger", tenant: "other", stores: "*", scope: "*" },
  { name: "paused", tenant: "demo", stores: "*", scope: "*" },
  { name: "fast", tenant: "demo", stores: "*", scope: "*" },
];

const settings = { RATE_LIMIT: "1", RATE_BURST: "12", ADDRESS_RATE_LIMIT: "4", TRUSTED_PROXIES: "1" };
const shelfwire = ownStack({ workers: [], settings });
test.serial.before(async () => {
  const password = await hashPassword(PASSWORD);
  for (const user of users)
    await shelfwire.system.commit.change(apiUsers, [apiUserKey(user.name)], () => ({ ...user, password }), "bulk");
});

/** Makes a call as a user; each user calls from its own address. */
function call(name: string, method: string, path: string, more: Record<string, string> = {}, body?: unknown) {
  const authorization = `Basic ${Buffer.from(`${name}:${PASSWORD}`).toString("base64")}`;
  return shelfwire.call(method, path, body, { authorization, "x-forwarded-for": `${name} here`, ...more });
}
const wrong = { authorization: `Basic ${btoa("paused:wrong")}` };

test("a user's calls are allowed within the user's scope and stores, and refused elsewhere", async (t) => {
  t.is((await call("till", "GET", "/items")).status, 200);
  t.is((await refused(t, await call("till", "GET", "/labels"), 403)).type, "/problems/insufficient-scope");
  t.is((await refused(t, await call("stranger", "GET", "/items"), 403)).type, "/problems/forbidden");
  const platform = await fetch(`${shelfwire.origin}/api/platform/v1/tenants`, {
    headers: { authorization: `Basic ${Buffer.from(`office:${PASSWORD}`).toString("base64")}`, "x-forwarded-for": "o" },
  });
  await refused(t, platform, 403);
});

test("an Idempotency-Key belongs to the user, whether it calls with its token or its password", async (t) => {
  const key = { "idempotency-key": "basic-and-bearer" };
  const rows = [{ itemId: "apple" }];
  const first = await numberOf(await call("office", "PATCH", "/items", key, rows));
  const authorization = `Bearer ${await shelfwire.token({ subject: "office" })}`;
  t.is(await numberOf(await shelfwire.call("PATCH", "/items", rows, { ...key, authorization })), first);
});

test("successful calls count against the user's rate, not against its address", async (t) => {
  // Sent concurrently, because calls sent one after the other might be slower than the rate.
  const answers = await Promise.all(Array.from({ length: 30 }, () => call("fast", "GET", "/items")));
  t.true(answers.filter(({ status }) => status === 200).length >= 12);
  const { detail } = await refused(t, answers.find(({ status }) => status === 429) as Response, 429);
  t.regex(detail, /subject/);
});

test("concurrent calls with a wrong password count against their address", async (t) => {
  const authorization = `Basic ${btoa("office:wrong")}`;
  const from = { authorization, "x-forwarded-for": "guessing" };
  const answers = await Promise.all(Array.from({ length: 60 }, () => call("office", "GET", "/items", from)));
  t.is(answers.filter(({ status }) => status === 200).length, 0);
  const problems = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { type: string }).type));
  t.true(problems.includes("/problems/too-many-requests"));
});

test("the response to a wrong password lists both ways to log in and, after several failures, the login pause", async (t) => {
  const first = await call("paused", "GET", "/items", wrong);
  t.is(first.headers.get("www-authenticate"), 'Bearer realm="shelfwire", Basic realm="shelfwire", charset="UTF-8"');
  t.is((await refused(t, first, 401)).type, "/problems/wrong-credentials");
  const nothing = await call("paused", "GET", "/items", { authorization: "Basic !", "x-forwarded-for": "other" });
  t.is((await refused(t, nothing, 401)).type, "/problems/wrong-credentials");
  const isPaused = async (answer: Response) =>
    answer.status === 429 && ((await answer.json()) as { type: string }).type === "/problems/too-many-failed-logins";
  // The pause doubles with each failure, until it is longer than a call takes on a busy machine.
  await eventually("a long pause, in which the right password is refused too", async () => {
    const answer = await call("paused", "GET", "/items", wrong);
    if (Number(answer.headers.get("retry-after")) < 10 || !(await isPaused(answer))) return false;
    return isPaused(await call("paused", "GET", "/items"));
  });
  t.pass();
  t.is((await call("paused", "GET", "/items", { "x-forwarded-for": "elsewhere" })).status, 200);
});

test("BASIC_AUTH=off accepts only tokens, and the error says so", async (t) => {
  const api = await openOwnApi(shelfwire, { BASIC_AUTH: "off" });
  t.teardown(() => api.close());
  const answer = await fetch(`${api.base}/items`, {
    headers: { authorization: `Basic ${Buffer.from(`office:${PASSWORD}`).toString("base64")}` },
  });
  t.is(answer.headers.get("www-authenticate"), 'Bearer realm="shelfwire"');
  const { type, detail } = await refused(t, answer, 401);
  t.is(type, "/problems/unauthenticated");
  t.notRegex(detail, /Basic/);
});
