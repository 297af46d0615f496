import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { ownStack } from "../../harness/own.ts";
import { openShelfwire } from "../../harness/shelfwire.ts";
import { refused } from "../calls.ts";

const shelfwire = ownStack({ workers: [], settings: { RATE_LIMIT: "1", RATE_BURST: "4" } });

let count = 0;
/** Returns calls with a token that no other test uses. */
async function caller() {
  count += 1;
  const authorization = `Bearer ${await shelfwire.token({ subject: `caller ${count}` })}`;
  return (method = "GET", path = "/items", body?: unknown) => shelfwire.call(method, path, body, { authorization });
}

test("every response states the remaining calls, in the draft's format and in the older format", async (t) => {
  const call = await caller();
  const { headers } = await call();
  t.is(headers.get("ratelimit-policy"), '"default";q=4;w=4');
  t.is(headers.get("ratelimit"), '"default";r=3;t=1');
  t.is(headers.get("ratelimit-limit"), "4");
  t.is(headers.get("ratelimit-remaining"), "3");
  t.is(headers.get("ratelimit-reset"), "1");
  const second = (await call("GET", "/items/nothing")).headers;
  t.regex(second.get("ratelimit-remaining") ?? "", /^[23]$/, "a refusal for another reason counts too");
});

test("a token that exceeds its rate is refused for the announced time, and its calls change nothing", async (t) => {
  const call = await caller();
  const answers = await Promise.all(Array.from({ length: 20 }, () => call("PATCH", "/items", [{ itemId: "apple" }])));
  const granted = answers.filter(({ status }) => status === 202);
  const others = answers.filter(({ status }) => status !== 202);
  t.true(granted.length >= 4 && others.length > 0, `${granted.length} were allowed`);
  for (const answer of others) {
    t.is(answer.headers.get("retry-after"), "1");
    t.is(answer.headers.get("ratelimit"), '"default";r=0;t=1');
    t.is((await refused(t, answer, 429)).type, "/problems/too-many-requests");
  }
  const { requestId } = await eventually("a write is accepted again", async () => {
    const later = await call("PATCH", "/items", [{ itemId: "later" }]);
    return later.status === 202 && ((await later.json()) as { requestId: number });
  });
  t.is(requestId, granted.length + 1);
});

test("neither a fresh token for the same subject nor another spelling of a token has a fresh bucket", async (t) => {
  const subject = "several tokens";
  const calls = Array.from({ length: 12 }, async (_, count) => {
    const token = await shelfwire.token({ subject, lifetime: `${count + 1}h` });
    const authorization = `Bearer${" ".repeat(count + 1)}${token}`;
    return shelfwire.call("GET", "/items", undefined, { authorization });
  });
  t.true((await Promise.all(calls)).some(({ status }) => status === 429));
});

test("another subject is unaffected", async (t) => {
  const [one, other] = [await caller(), await caller()];
  await Promise.all(Array.from({ length: 6 }, () => one()));
  t.is((await other()).status, 200);
});

test("unauthenticated and public calls do not count for a subject", async (t) => {
  const answer = await fetch(`${shelfwire.base}/items`, { headers: { authorization: "Bearer nonsense" } });
  t.is(answer.headers.get("ratelimit"), null);
  for (let call = 0; call < 10; call += 1) t.is((await fetch(`${shelfwire.origin}/healthz`)).status, 200);
});

test("Redis stores only a token's hash", async (t) => {
  const authorization = `Bearer ${await shelfwire.token({ subject: "secret" })}`;
  const keys = await eventually("a key is read before it expires, after a second", async () => {
    await shelfwire.call("GET", "/items", undefined, { authorization });
    const found = await shelfwire.system.redis.keys("rate:*");
    return found.length > 0 && found;
  });
  for (const key of keys) t.regex(key, /^rate:[\w-]{43}$/);
});

test("all tokens of a tenant share one rate, and refused calls do not count", async (t) => {
  const limited = await openShelfwire({ workers: [], settings: { TENANT_RATE_LIMIT: "1" } });
  t.teardown(limited.close);
  const calls = Array.from({ length: 12 }, async (_, count) => {
    const authorization = `Bearer ${await limited.token({ subject: `of the tenant ${count}` })}`;
    return limited.call("GET", "/items", undefined, { authorization });
  });
  const refusals = (await Promise.all(calls)).filter(({ status }) => status === 429);
  t.true(refusals.length > 0);
  const [first] = refusals;
  t.is(first?.headers.get("retry-after"), "1");
  if (first) t.regex((await refused(t, first, 429)).detail, /^A tenant may make 1 requests/);
});

test("an address without a valid token has its own rate; valid tokens and health checks do not count", async (t) => {
  const limited = await openShelfwire({ workers: [], settings: { ADDRESS_RATE_LIMIT: "1" } });
  t.teardown(limited.close);
  const many = async (path: string, headers: Record<string, string> = {}) =>
    (await Promise.all(Array.from({ length: 12 }, () => fetch(`${limited.origin}${path}`, { headers })))).map(
      ({ status }) => status,
    );
  const store = new URL(limited.base).pathname;
  for (const [path, headers] of [
    ["/api/openapi.json", {}],
    ["/api/docs", {}],
    ["/problems/busy", {}],
    [`${store}/items`, {}],
    [`${store}/items`, { authorization: "Bearer a.b.c" }],
    ["/api/openapi.json", { authorization: "Bearer x" }],
    ["/nowhere", { authorization: `Bearer ${await limited.token({ lifetime: "1 hour ago" })}` }],
    ["/problems/busy", { authorization: "Basic bm90OmdpdmVu" }],
    ["/shelf", { cookie: `shelfwire-session=${"x".repeat(43)}` }],
    ["/label-server/v1/reports", { authorization: "Bearer x" }],
    ["/api/public/auth/v1/login", { authorization: "Basic bm90OmdpdmVu" }],
  ] as const)
    t.true(await eventually(`${path} is refused`, async () => (await many(path, headers)).includes(429)));
  t.deepEqual(new Set(await many("/healthz")), new Set([200]));
  t.deepEqual(
    new Set(await many(`${store}/items`, { authorization: `Bearer ${await limited.token()}` })),
    new Set([200]),
  );
});

test("a valid token's calls count for its subject whatever they call: documents, unknown paths, another tenant's store", async (t) => {
  for (const path of ["/api/openapi.json", "/nowhere", "/t/other/s/main/api/public/core/v1/items"]) {
    count += 1;
    const authorization = `Bearer ${await shelfwire.token({ subject: `elsewhere ${count}` })}`;
    const call = async () => (await fetch(`${shelfwire.origin}${path}`, { headers: { authorization } })).status;
    t.true((await Promise.all(Array.from({ length: 12 }, call))).includes(429), path);
  }
});
