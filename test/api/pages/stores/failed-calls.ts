import type { Redis } from "ioredis";
import type { Db } from "mongodb";
import { openLabelServerHealth } from "../../../../queues/publish/label-server-health.ts";
import { openDeliveries } from "../../../../records/outbox/deliveries.ts";
import { callNotice, callText } from "../../../../schemas/call-notice.ts";
import { labelServerKey, subscriptionKey } from "../../../../schemas/keys.ts";
import { lastingRedis } from "../../../harness/databases/lasting-redis.ts";

const AT = new Date("2026-03-02T08:15:30Z");

/** For each language, the messages about a label server that did not respond and a receiver that responded with 503. */
export const failureTexts = [
  [
    "de",
    "Der Etikettenserver hat nicht geantwortet (ECONNREFUSED).",
    "Das andere System hat mit Status 503 geantwortet.",
  ],
  ["hr", "Poslužitelj etiketa nije odgovorio (ECONNREFUSED).", "Drugi je sustav odgovorio statusom 503."],
] as const;

/** Stores a dead letter and a waiting event, as a notifier leaves them. */
export async function keepDeadLetter(db: Db, subscription: string): Promise<void> {
  const key = subscriptionKey("t/demo", subscription);
  const event = {
    specversion: "1.0" as const,
    type: "link.v2" as const,
    source: "shelfwire",
    subject: "t/demo/s/main/links/1",
    datacontenttype: "application/json" as const,
    time: "2026-03-02T08:15:30Z",
  };
  const data = { key: "t/demo/s/main/links/1", rev: 1, operation: "UPDATED" as const, changed: [] };
  const entries = ["a", "b"].map((id) => ({ subscription: key, event: { ...event, id, data } }));
  await openDeliveries(db, () => new Date()).keep(entries);
  await giveUp(db, subscription, 30, 500);
}

/** Makes delivery of a subscription's next event fail after this many attempts, all answered with this status. */
export async function giveUp(db: Db, subscription: string, attempts: number, status: number): Promise<void> {
  const deliveries = openDeliveries(db, () => new Date());
  const [next] = await deliveries.take(subscriptionKey("t/demo", subscription), 1, 60_000);
  const notice = callNotice("RECEIVER_ANSWERED", { status });
  await deliveries.putOff([{ id: next?._id ?? "", attempts, due: undefined, notice }]);
}

/** Records that a label server did not respond. */
export async function noteSilentServer(redis: Redis): Promise<void> {
  const notice = callNotice("SERVER_SILENT", { fault: "ECONNREFUSED" });
  const failure = { at: AT, reason: callText(notice), notice, detail: "at 10.0.0.1" };
  await openLabelServerHealth(redis).noteCalls(labelServerKey("t/demo", "cellar"), { failure });
}

/**
 * Records that a label server rejected a call and has been unreachable since, and that the installation's own label server
 * responded.
 */
export async function noteServerAway(redis: Redis): Promise<void> {
  const { noteTrouble, noteCalls } = openLabelServerHealth(lastingRedis(redis).redis);
  const key = labelServerKey("t/demo", "cellar");
  await noteCalls("", { answeredAt: AT });
  const failure = { at: AT, reason: "the label server answered 401", detail: "no such secret" };
  await noteCalls(key, { answeredAt: AT, failure });
  await noteTrouble("away", key, AT);
}
