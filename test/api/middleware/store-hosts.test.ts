import { type IncomingHttpHeaders, request } from "node:http";
import { json } from "node:stream/consumers";
import test from "ava";
import { servedStack } from "../../harness/served-stack.ts";
import { openStore, readItem, writeItems } from "../calls.ts";
import { operate } from "../management/calls.ts";

const DOMAIN = "labels.example.test";

const shelfwire = servedStack({ workers: ["item"], settings: { BASE_DOMAIN: DOMAIN } });
test.before(async () => {
  await writeItems(shelfwire, [{ itemId: "apple", price: "1.99" }]);
  await writeItems(await openStore(shelfwire, "branch-2"), [{ itemId: "apple", price: "2.49" }]);
  await writeItems(await openStore(shelfwire, "Branch-West"), [{ itemId: "apple", price: "2.99" }]);
});

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** Makes a call with a store's host; `fetch` does not allow callers to set the `Host` header. */
async function callHost(
  host: string,
  path: string,
  { method = "GET", body, as }: { method?: string; body?: unknown; as?: string } = {},
): Promise<Answer> {
  const authorization = as ?? `Bearer ${await shelfwire.token()}`;
  const headers = { host, authorization, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const call = request(`${shelfwire.origin}${path}`, { method, headers }, async (answer) => {
      resolve({ status: answer.statusCode, headers: answer.headers, body: (await json(answer)) as Answer["body"] });
    });
    call.once("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const ITEM = "/api/public/core/v1/items/apple?projection=S";
const priceAt = async (host: string) =>
  ((await callHost(host, ITEM)).body.value as { price: string } | undefined)?.price;

test("each store also responds at {storeId}.{tenantId}.{BASE_DOMAIN}", async (t) => {
  t.is(await priceAt(`main.demo.${DOMAIN}`), "1.99");
  t.is(await priceAt(`branch-2.demo.${DOMAIN}`), "2.49");
});

test("a host's case and port are ignored", async (t) => {
  t.is(await priceAt(`main.demo.${DOMAIN.toUpperCase()}:8080`), "1.99");
});

test("a lower-case host finds a store and a tenant whose IDs have capitals", async (t) => {
  t.is(await priceAt(`branch-west.demo.${DOMAIN}`), "2.99");
  t.is(await priceAt(`BRANCH-west.DEMO.${DOMAIN}`), "2.99");
});

test("a store's host accepts writes too", async (t) => {
  const path = "/api/public/core/v1/items";
  const { status } = await callHost(`main.demo.${DOMAIN}`, path, { method: "PATCH", body: [{ itemId: "by host" }] });
  t.is(status, 202);
});

test("a store's host also accepts the store's full path", async (t) => {
  const path = `/t/demo/s/main${ITEM}`;
  const { body } = await callHost(`branch-2.demo.${DOMAIN}`, path);
  t.is((body.value as { price: string }).price, "1.99");
});

test("a path without a store returns 404 at any other host", async (t) => {
  for (const host of [DOMAIN, `demo.${DOMAIN}`, `a.main.demo.${DOMAIN}`, "main.demo.example.test", "main.demo"]) {
    t.is((await callHost(host, ITEM)).status, 404, host);
  }
  t.is((await callHost(`main.demo.${DOMAIN.replaceAll(".", "x")}`, ITEM)).status, 404);
});

test("the host of an unknown store returns 404", async (t) => {
  const { status, headers } = await callHost(`nowhere.demo.${DOMAIN}`, ITEM);
  t.is(status, 404);
  t.is(headers["content-type"], "application/problem+json");
});

test("another tenant's host returns 403 for the token", async (t) => {
  t.is((await callHost(`main.other.${DOMAIN}`, ITEM)).status, 403);
});

test("operations outside a store respond at every host", async (t) => {
  t.is((await callHost(`main.demo.${DOMAIN}`, "/healthz")).status, 200);
});

test("central-manager.{tenantId}.{BASE_DOMAIN} accepts logins, whatever stores the user has", async (t) => {
  const user = { stores: ["main"], scope: "items:read", password: "a long password" };
  t.is((await operate(shelfwire, "PUT", "/t/demo/api/management/v1/users/host-till", user)).status, 200);
  const as = `Basic ${Buffer.from("host-till:a long password").toString("base64")}`;
  const login = (host: string) => callHost(host, "/api/public/auth/v1/login", { as });
  const { status, body } = await login(`central-manager.Demo.${DOMAIN}`);
  t.is(status, 200);
  t.is(body.tokenType, "JWT");
  t.is((await login(`central-manager.other.${DOMAIN}`)).status, 403);
});

test("the address with tenant and store in the path still works", async (t) => {
  t.is((await readItem(shelfwire, "apple")).price, "1.99");
});
