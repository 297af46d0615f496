import test from "ava";
import { scopes } from "../../../schemas/token.ts";
import type { Served } from "../../harness/served.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { challengeOf, refused } from "../calls.ts";

const shelfwire = servedStack({ workers: [] });

const listWith = async (order: Parameters<Served["token"]>[0]) =>
  shelfwire.call("GET", "/items", undefined, { authorization: `Bearer ${await shelfwire.token(order)}` });

/** Every operation, with the scope that it needs. */
const operations = [
  ["PATCH", "/items", "items:write"],
  ["GET", "/items", "items:read"],
  ["PATCH", "/items/apple", "items:write"],
  ["GET", "/items/apple", "items:read"],
  ["DELETE", "/items/apple", "items:write"],
  ["GET", "/items-result/1", "items:read"],
  ["PATCH", "/labels", "labels:write"],
  ["GET", "/labels", "labels:read"],
  ["GET", "/labels/D4", "labels:read"],
  ["GET", "/labels/D4/image", "labels:read"],
  ["POST", "/labels/link-single", "labels:write"],
  ["GET", "/labels-result/1", "labels:read"],
] as const;

test("another tenant's token returns 403", async (t) => {
  await refused(t, await listWith({ tenant: "other" }), 403);
});

test("a token that does not name the store returns 403", async (t) => {
  await refused(t, await listWith({ stores: ["branch"] }), 403);
  await refused(t, await listWith({ stores: [] }), 403);
});

test("a token that names the store is accepted for it", async (t) => {
  t.is((await listWith({ stores: ["branch", "main"] })).status, 200);
});

for (const [method, path, scope] of operations) {
  test(`${method} ${path} requires the scope ${scope}, or returns 403 insufficient_scope`, async (t) => {
    const others = scopes.filter((one) => one !== scope).join(" ");
    const authorization = `Bearer ${await shelfwire.token({ scope: others })}`;
    const answer = await shelfwire.call(method, path, method === "GET" ? undefined : "{}", { authorization });
    t.is(challengeOf(answer), `, error="insufficient_scope", scope="${scope}"`);
    t.is((await refused(t, answer, 403)).type, "/problems/insufficient-scope");
  });

  test(`${method} ${path} requires only the scope ${scope}`, async (t) => {
    const authorization = `Bearer ${await shelfwire.token({ scope })}`;
    const answer = await shelfwire.call(method, path, method === "GET" ? undefined : "{}", { authorization });
    t.false([401, 403].includes(answer.status), await answer.text());
  });
}

test("an unknown store returns 404", async (t) => {
  const authorization = `Bearer ${await shelfwire.token()}`;
  const answer = await fetch(`${shelfwire.origin}/t/demo/s/nowhere/api/public/core/v1/items`, {
    headers: { authorization },
  });
  t.is((await refused(t, answer, 404)).type, "/problems/unknown-store");
});

test("an unknown tenant returns 404 even for a token that names it", async (t) => {
  const authorization = `Bearer ${await shelfwire.token({ tenant: "nobody" })}`;
  const answer = await fetch(`${shelfwire.origin}/t/nobody/s/main/api/public/core/v1/items`, {
    headers: { authorization },
  });
  t.is((await refused(t, answer, 404)).type, "/problems/unknown-store");
});
