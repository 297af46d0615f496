import test from "ava";
import { eventually } from "../harness/eventually.ts";
import { ownStack } from "../harness/own.ts";
import { bodyOf, refused } from "./calls.ts";

const shelfwire = ownStack({ workers: [], withProxy: true });

const get = (path: string) => fetch(`${shelfwire.origin}${path}`);

test.serial("/healthz is 200 without a token", async (t) => {
  const answer = await get("/healthz");
  t.is(answer.status, 200);
  t.deepEqual(await answer.json(), { status: "ok" });
});

test.serial("/readyz is 200 without a token and says which stores it has", async (t) => {
  const { status, mongodb } = await eventually("Redis is connected", async () => {
    const stores = await bodyOf<Record<string, string>>(await get("/readyz"));
    return stores.redis === "ready" && stores;
  });
  t.is(status, "ready");
  t.truthy(mongodb);
});

test.serial("they have no other method", async (t) => {
  for (const path of ["/healthz", "/readyz"]) {
    const answer = await fetch(`${shelfwire.origin}${path}`, { method: "POST" });
    t.is(answer.headers.get("allow"), "GET, HEAD, OPTIONS");
    await refused(t, answer, 405);
  }
});

test.serial("without the database it is alive, but not ready: 503, until the database is back", async (t) => {
  shelfwire.proxy?.cut();
  const answer = await get("/readyz");
  t.is(answer.status, 503);
  t.like(await answer.json(), { status: "not ready", redis: "ready" });
  t.is((await get("/healthz")).status, 200);
  shelfwire.proxy?.restore();
  t.true(await eventually("it is ready again", async () => (await get("/readyz")).ok));
});

test.serial("without Redis it is ready all the same: work is delayed, not refused", async (t) => {
  await shelfwire.stores.redis.kill();
  const answer = await eventually("Redis is missed", async () => {
    const { status, redis } = await bodyOf<Record<string, string>>(await get("/readyz"));
    return redis !== "ready" && { status, redis };
  });
  t.deepEqual(answer, { status: "ready", redis: "away: work is delayed" });
  t.is((await shelfwire.call("PATCH", "/items", [{ itemId: "apple" }])).status, 202);
});
