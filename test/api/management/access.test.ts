import test from "ava";
import type { TokenOrder } from "../../../api/access/sign-token.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { refused } from "../calls.ts";
import { routes } from "../openapi/the-document.ts";
import { manage } from "./calls.ts";

const shelfwire = servedStack({ workers: [] });

const callWith = async (order: Partial<TokenOrder>, method = "GET", path = "/topics", tenant = "demo") =>
  fetch(`${shelfwire.origin}/t/${tenant}/api/management/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${await shelfwire.token(order)}` },
  });

test("without a token it is 401", async (t) => {
  const answer = await fetch(`${shelfwire.origin}/t/demo/api/management/v1/topics`);
  await refused(t, answer, 401);
});

test("a token of another tenant is 403, and learns nothing of this one", async (t) => {
  t.is((await refused(t, await callWith({ tenant: "other" }), 403)).type, "/problems/forbidden");
  t.is((await refused(t, await callWith({}, "GET", "/topics", "none"), 403)).type, "/problems/forbidden");
});

test("a token for some stores manages no tenant", async (t) => {
  const { type, detail } = await refused(t, await callWith({ stores: ["main"] }), 403);
  t.is(type, "/problems/forbidden");
  t.regex(detail, /all stores/);
  await refused(t, await callWith({ stores: ["main"] }, "GET", "/stores/main"), 403);
});

test("a tenant that does not exist is 404 for a token of its name", async (t) => {
  const answer = await callWith({ tenant: "none" }, "GET", "/topics", "none");
  t.is((await refused(t, answer, 404)).type, "/problems/unknown-tenant");
});

for (const { method, path, scope } of routes.filter(({ of }) => of === "tenant")) {
  test(`${method} ${path} needs ${scope}, and no other scope will do`, async (t) => {
    const others = ["items:read", "items:write", "labels:read", "labels:write", "links:read", "links:write"];
    const more = ["design:read", "design:write", "ops", "ops:write"].filter((one) => one !== scope);
    const answer = await callWith({ scope: [...others, ...more].join(" ") }, method, path.replace(/:\w+/g, "link.v2"));
    t.is((await refused(t, answer, 403)).type, "/problems/insufficient-scope");
    t.true(answer.headers.get("www-authenticate")?.includes(`scope="${scope}"`));
  });
}

test("a path that nothing is at, and a method that it has not", async (t) => {
  await refused(t, await manage(shelfwire, "GET", "/nothing"), 404);
  const answer = await manage(shelfwire, "DELETE", "/topics");
  await refused(t, answer, 405);
  t.is(answer.headers.get("allow"), "GET, HEAD, OPTIONS");
});

test("a call with an Idempotency-Key happens once", async (t) => {
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
