import test from "ava";
import type { TokenOrder } from "../../../api/access/sign-token.ts";
import type { Route } from "../../../api/http/route.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { refused } from "../calls.ts";
import { routes } from "../openapi/the-document.ts";
import { manage, operate } from "./calls.ts";

const shelfwire = servedStack({ workers: [] });

const callWith = async (order: Partial<TokenOrder>, method = "GET", path = "/topics", tenant = "demo") =>
  fetch(`${shelfwire.origin}/t/${tenant}/api/management/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${await shelfwire.token(order)}` },
  });

test("a call without a token returns 401", async (t) => {
  const answer = await fetch(`${shelfwire.origin}/t/demo/api/management/v1/topics`);
  await refused(t, answer, 401);
});

test("another tenant's token returns 403, which reveals nothing about this tenant", async (t) => {
  t.is((await refused(t, await callWith({ tenant: "other" }), 403)).type, "/problems/forbidden");
  t.is((await refused(t, await callWith({}, "GET", "/topics", "none"), 403)).type, "/problems/forbidden");
});

test("a token for some stores cannot manage its tenant", async (t) => {
  const { type, detail } = await refused(t, await callWith({ stores: ["main"] }), 403);
  t.is(type, "/problems/forbidden");
  t.regex(detail, /all stores/);
  await refused(t, await callWith({ stores: ["main"] }, "GET", "/stores/main"), 403);
});

test("an unknown tenant returns 404 even for a token that names it", async (t) => {
  const answer = await callWith({ tenant: "none" }, "GET", "/topics", "none");
  t.is((await refused(t, answer, 404)).type, "/problems/unknown-tenant");
});

const all = ["items:read", "items:write", "labels:read", "labels:write", "links:read", "links:write"];
all.push("design:read", "design:write", "ops", "ops:write", "platform");
const addressOf = ({ of, path }: Route) =>
  `${of === "platform" ? "/api/platform/v1" : "/t/demo/api/management/v1"}${path.replace(/:\w+/g, "link.v2")}`;

for (const route of routes.filter(({ of }) => of !== undefined)) {
  const { method, path, scope, isForPlatform } = route;

  test(`${method} ${path} requires ${scope} and accepts no other tenant scope`, async (t) => {
    const authorization = `Bearer ${await shelfwire.token({ scope: all.filter((one) => one !== scope).join(" ") })}`;
    const answer = await fetch(`${shelfwire.origin}${addressOf(route)}`, { method, headers: { authorization } });
    t.is((await refused(t, answer, 403)).type, "/problems/insufficient-scope");
    t.true(answer.headers.get("www-authenticate")?.includes(`scope="${scope}"`));
  });

  if (scope === "platform")
    test(`${method} ${path} refuses a tenant's token that claims the scope platform`, async (t) => {
      const authorization = `Bearer ${await shelfwire.token({ scope: "platform ops:write" })}`;
      const answer = await fetch(`${shelfwire.origin}${addressOf(route)}`, { method, headers: { authorization } });
      t.is((await refused(t, answer, 403)).type, "/problems/insufficient-scope");
    });

  if (!isForPlatform)
    test(`${method} ${path} refuses the operator's token`, async (t) => {
      t.is((await refused(t, await operate(shelfwire, method, addressOf(route)), 403)).type, "/problems/forbidden");
    });
}

for (const { method, path } of routes.filter(({ of }) => of === undefined)) {
  test(`${method} ${path} of a store refuses the operator's token`, async (t) => {
    const address = `/t/demo/s/main/api/public/core/v1${path.replace(/:\w+/g, "1")}`;
    t.is((await refused(t, await operate(shelfwire, method, address), 403)).type, "/problems/forbidden");
  });
}

test("an unknown path returns 404 and an unknown method 405", async (t) => {
  await refused(t, await manage(shelfwire, "GET", "/nothing"), 404);
  const answer = await manage(shelfwire, "DELETE", "/topics");
  await refused(t, answer, 405);
  t.is(answer.headers.get("allow"), "GET, HEAD, OPTIONS");
});

test("a call with an Idempotency-Key takes effect once", async (t) => {
  const order = { topics: ["link.v2"], url: "https://shop.example/events" };
  const headers = { "idempotency-key": "make-one" };
  const first = await manage(shelfwire, "POST", "/subscriptions", order, headers);
  const second = await manage(shelfwire, "POST", "/subscriptions", order, headers);
  t.is(first.status, 201);
  const { secret, ...shown } = (await first.json()) as { secret: string };
  t.regex(secret, /^whsec_/);
  t.deepEqual(await second.json(), shown);
  t.is(((await (await manage(shelfwire, "GET", "/subscriptions")).json()) as unknown[]).length, 1);
});
