import { randomUUID } from "node:crypto";
import test from "ava";
import { gatewayKey, openLabelServerHealth } from "../../../queues/publish/label-server-health.ts";
import { prefixOf } from "../../../queues/redis.ts";
import { callNotice, callText } from "../../../schemas/call-notice.ts";
import { lastingRedis } from "../../harness/databases/lasting-redis.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
/** The notes of a transmitter; those about trouble do not expire. */
const notes = (redis = lastingRedis(own.system.redis).redis) => openLabelServerHealth(redis);
const redisKeyOf = (what: string, key: string): string => `${prefixOf("transmitter")}:label-server-${what}:${key}`;

test("any process can read what is recorded about label servers, in the order of the given keys", async (t) => {
  const [one, other, unknown, coded] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const { noteTrouble, noteCalls } = notes();
  await noteCalls(one, { answeredAt: at(1), failure: { at: at(2), reason: "HTTP 503", detail: "the disk is full" } });
  await noteTrouble("away", other, at(3));
  const notice = callNotice("SERVER_ANSWERED", { status: 503 });
  const failure = { at: at(4), reason: callText(notice), notice };
  await noteCalls(coded, { failure });
  t.deepEqual(await notes().read([other, unknown, one, coded]), [
    { awaySince: at(3) },
    {},
    { answeredAt: at(1), failure: { at: at(2), reason: "HTTP 503", detail: "the disk is full" } },
    { failure },
  ]);
  t.deepEqual(await notes().read([]), []);
});

test("recording calls keeps the fields that another transmitter recorded", async (t) => {
  const key = randomUUID();
  await notes().noteCalls(key, { answeredAt: at(1) });
  t.deepEqual(await notes().read([key]), [{ answeredAt: at(1) }]);
  await notes().noteCalls(key, { failure: { at: at(2), reason: "refused" } });
  t.deepEqual(await notes().read([key]), [{ answeredAt: at(1), failure: { at: at(2), reason: "refused" } }]);
  await notes().noteCalls(key, { answeredAt: at(4) });
  t.deepEqual(await notes().read([key]), [{ answeredAt: at(4), failure: { at: at(2), reason: "refused" } }]);
});

test("a label server stays unreachable until the transmitter that reported it withdraws the report; no other transmitter can", async (t) => {
  const key = randomUUID();
  const [mine, another] = [notes(), notes()];
  await mine.noteTrouble("away", key, at(1));
  await another.noteTrouble("away", key, undefined);
  t.deepEqual(await mine.read([key]), [{ awaySince: at(1) }]);
  await mine.noteTrouble("away", key, undefined);
  t.deepEqual(await mine.read([key]), [{}]);
  await another.noteTrouble("away", key, at(2));
  await mine.noteTrouble("away", key, undefined);
  t.deepEqual(await mine.read([key]), [{ awaySince: at(2) }], "the report was withdrawn once");
});

test("a label server that denies calls is distinguished from an unreachable one", async (t) => {
  const key = randomUUID();
  const mine = notes();
  await mine.noteTrouble("denies", key, at(1));
  await mine.noteTrouble("away", key, undefined);
  t.deepEqual(await mine.read([key]), [{ deniedSince: at(1) }]);
  await mine.noteTrouble("denies", key, undefined);
  t.deepEqual(await mine.read([key]), [{}]);
});

test("an offline gateway affects only its own store and broker", async (t) => {
  const store = `t/demo/s/${randomUUID()}`;
  const mine = notes();
  const [one, other] = [gatewayKey(store, "one"), gatewayKey(store, "other")];
  t.is(await mine.readOffline(store, "one"), undefined);
  await mine.noteTrouble("offline", one, at(1));
  await mine.noteTrouble("offline", other, undefined);
  t.deepEqual(await notes().readOffline(store, "one"), at(1));
  t.is(await notes().readOffline(store, "other"), undefined);
  t.is(await notes().readOffline(`${store}-2`, "one"), undefined);
  await mine.noteTrouble("offline", one, undefined);
  t.is(await notes().readOffline(store, "one"), undefined);
});

test("entries expire: a killed process's entries soon, and entries about calls after a week", async (t) => {
  const key = randomUUID();
  const { redis, limits } = lastingRedis(own.system.redis);
  await notes(redis).noteTrouble("away", key, at(1));
  await notes(redis).noteCalls(key, { answeredAt: at(1) });
  t.deepEqual(limits.get(redisKeyOf("away", key)), ["EX", 15]);
  const calls = await own.system.redis.ttl(redisKeyOf("calls", key));
  t.true(calls > 15 && calls <= 7 * 86_400);
});
