import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import Koa from "koa";
import { health } from "../../api/health.ts";
import { eventually } from "../harness/eventually.ts";
import { ownStack } from "../harness/own.ts";
import { bodyOf, refused, untilTaken } from "./calls.ts";

const shelfwire = ownStack({ workers: [], withProxy: true, isTakenAway: true });

const get = (path: string) => fetch(`${shelfwire.origin}${path}`);

test.serial("/healthz returns 200 without a token", async (t) => {
  const answer = await get("/healthz");
  t.is(answer.status, 200);
  t.deepEqual(await answer.json(), { status: "ok" });
});

test.serial("/readyz returns 200 without a token and reports only whether each part is available", async (t) => {
  const answer = await eventually("Redis is connected", async () => {
    const databases = await bodyOf<Record<string, string>>(await get("/readyz"));
    return databases.redis === "ready" && databases;
  });
  t.deepEqual(answer, { status: "ready", mongodb: "ready", redis: "ready" });
});

test.serial("health checks accept no other method", async (t) => {
  for (const path of ["/healthz", "/readyz"]) {
    const answer = await fetch(`${shelfwire.origin}${path}`, { method: "POST" });
    t.is(answer.headers.get("allow"), "GET, HEAD, OPTIONS");
    await refused(t, answer, 405);
  }
});

test.serial("without the database the process is alive but not ready: 503 until the database is back", async (t) => {
  shelfwire.proxy?.cut();
  const answer = await eventually("the outage is noticed", async () => {
    const asked = await get("/readyz");
    const databases = (await asked.json()) as Record<string, string>;
    // On a busy machine, Redis may be unreachable for a moment as well.
    return asked.status === 503 && databases.redis === "ready" && databases;
  });
  t.deepEqual(answer, { status: "not ready", mongodb: "away", redis: "ready" });
  t.is((await get("/healthz")).status, 200);
  shelfwire.proxy?.restore();
  t.true(await eventually("the process is ready again", async () => (await get("/readyz")).ok));
});

test.serial("without Redis the process stays ready: work is delayed, not refused", async (t) => {
  await shelfwire.databases.redis.kill();
  const answer = await eventually("the loss of Redis is noticed", async () => {
    const { status, redis } = await bodyOf<Record<string, string>>(await get("/readyz"));
    return redis !== "ready" && { status, redis };
  });
  t.deepEqual(answer, { status: "ready", redis: "unavailable: work is delayed" });
  // A busy machine may delay the database for longer than this stack waits.
  const accepted = await untilTaken(() => shelfwire.call("PATCH", "/items", [{ itemId: "apple" }]));
  t.is(accepted.status, 202);
});

test("many anonymous calls trigger one query to the database, and only the log shows its error", async (t) => {
  let [asked, time] = [0, 0];
  const logged: string[] = [];
  const log = { info: () => {}, warn: (fields: object) => logged.push(JSON.stringify(fields)) };
  const router = health({
    describeDatabase: async () => {
      asked += 1;
      throw new Error("connect ECONNREFUSED db.internal:27017");
    },
    isRedisReady: () => true,
    clock: () => time,
    reasonOf: ({ message }) => message,
    log: log,
  });
  const server = createServer(new Koa().use(router.routes()).callback()).listen(0);
  t.teardown(() => server.close());
  const ask = async () =>
    (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`, { keepalive: false })).text();
  const texts = await Promise.all(Array.from({ length: 20 }, ask));
  t.is(asked, 1);
  t.deepEqual(new Set(texts), new Set(['{"status":"not ready","mongodb":"away","redis":"ready"}']));
  t.deepEqual(logged, ['{"error":"connect ECONNREFUSED db.internal:27017"}']);
  time += 1_000;
  await ask();
  t.is(asked, 2);
  t.is(logged.length, 1, "each state is logged once");
});
