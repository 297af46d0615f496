import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { ownStack } from "../../harness/own.ts";
import { refused } from "../calls.ts";

const shelfwire = ownStack({ workers: [], settings: { RATE_LIMIT: "1", RATE_BURST: "4" } });

let count = 0;
/** Calls with a token that no other test uses. */
async function caller() {
  count += 1;
  const authorization = `Bearer ${await shelfwire.token({ subject: `caller ${count}` })}`;
  return (method = "GET", path = "/items", body?: unknown) => shelfwire.call(method, path, body, { authorization });
}

test("every answer has what is left, in the form of the draft and in the older one", async (t) => {
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

test("a token that has used up its rate is refused for the announced time, and nothing is done", async (t) => {
  const call = await caller();
  const answers = await Promise.all(Array.from({ length: 20 }, () => call("PATCH", "/items", [{ itemId: "apple" }])));
  const granted = answers.filter(({ status }) => status === 202);
  const others = answers.filter(({ status }) => status !== 202);
  t.true(granted.length >= 4 && others.length > 0, `${granted.length} were granted`);
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

test("another token is not touched", async (t) => {
  const [one, other] = [await caller(), await caller()];
  await Promise.all(Array.from({ length: 6 }, () => one()));
  t.is((await other()).status, 200);
});

test("calls without a good token, and those that need none, are not counted", async (t) => {
  const answer = await fetch(`${shelfwire.base}/items`, { headers: { authorization: "Bearer nonsense" } });
  t.is(answer.headers.get("ratelimit"), null);
  for (let call = 0; call < 10; call += 1) t.is((await fetch(`${shelfwire.origin}/healthz`)).status, 200);
});

test("Redis holds no token, only its hash", async (t) => {
  const authorization = `Bearer ${await shelfwire.token({ subject: "secret" })}`;
  await shelfwire.call("GET", "/items", undefined, { authorization });
  const keys = await shelfwire.system.redis.keys("rate:*");
  t.true(keys.length > 0);
  for (const key of keys) t.regex(key, /^rate:[\w-]{43}$/);
});
