import { hash } from "node:crypto";
import pLimit from "p-limit";
import type { Logger } from "pino";
import { nextAttempt } from "../../domain/times/growing-waits.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import { subscriptions as kind } from "../../records/kinds/tenants.ts";
import type { Deliveries } from "../../records/outbox/deliveries.ts";
import type { Delivery } from "../../records/outbox/delivery.ts";
import type { Records } from "../../records/records.ts";
import { type CallNotice, callNotice, callText } from "../../schemas/call-notice.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Subscription } from "../../schemas/subscription.ts";
import type { Answer, Call } from "./call-receiver.ts";
import { DELIVERY_WAITS } from "./retry.ts";
import { createStopSubscription } from "./stop-subscription.ts";

interface Dependencies {
  records: Records;
  commit: Commit;
  deliveries: Deliveries;
  receivers: { call(call: Call): Promise<Answer> };
  now(): Date;
  random(): number;
  /** Returns what went wrong, worded for the log. */
  reasonOf(error: Error): string;
  log: Logger;
}

export interface DeliveryRounds {
  /** Starts sending due deliveries, separately for each subscription: a slow receiver does not delay others. */
  begin(): Promise<void>;
  /**
   * Waits for the calls in progress and starts no new ones; the remaining deliveries become due immediately, so that another
   * process sends them.
   */
  close(): Promise<void>;
}

/** Number of calls per round, and how many of them run concurrently. A whole round ends within its deliveries' lease. */
const CALLS_PER_ROUND = 20;
const MAX_CONCURRENT_CALLS = 4;
const LEASE_MS = 120_000;

/**
 * Sends due deliveries to their receivers. A delivery that fails is retried for 24 hours and then becomes a dead
 * letter, which can be replayed.
 */
export function createDelivery(dependencies: Dependencies): DeliveryRounds {
  const { records, commit, deliveries, receivers, now, random, reasonOf, log } = dependencies;
  const stop = createStopSubscription({ commit, deliveries, log });
  const running = new Map<string, Promise<void>>();
  let isClosed = false;

  /** Sends the events of one call; returns whether the receiver no longer accepts events. */
  async function send(subscription: Stored<Subscription>, group: readonly Delivery[]): Promise<boolean> {
    const [first] = group;
    if (first === undefined) return false;
    const answer = await receivers.call(callFor(subscription, group, first));
    if (answer.kind === "gone") return true;
    if (answer.kind === "delivered") await deliveries.confirm(group.map(({ _id }) => _id));
    else await noteFailure(subscription, group, first.attempts + 1, answer);
    return false;
  }

  async function noteFailure(
    subscription: Stored<Subscription>,
    group: readonly Delivery[],
    attempts: number,
    { notice, detail, retryAfterMs }: Extract<Answer, { kind: "failed" }>,
  ): Promise<void> {
    const reason = callText(notice);
    log.warn({ subscription: subscription._id, events: group.length, reason, detail }, "events were not delivered");
    await retryLater(group, attempts, notice, retryAfterMs);
  }

  /**
   * Postpones all events of a call to the same time, so that they form one call again. The newest event decides the time, so that
   * no event becomes a dead letter too early.
   */
  async function retryLater(
    group: readonly Delivery[],
    attempts: number,
    notice: CallNotice,
    requestedMs: number | undefined,
  ): Promise<void> {
    const since = new Date(Math.max(...group.map((delivery) => delivery.since.getTime())));
    const due = nextAttempt({ since, failures: attempts, requestedMs }, now(), random(), DELIVERY_WAITS);
    await deliveries.putOff(group.map(({ _id: id }) => ({ id, attempts, due, notice })));
  }

  /** Sends a batch of a subscription's due deliveries; returns whether more may be due. */
  async function runRound(key: string): Promise<boolean> {
    const subscription = (await records.read(kind, [key])).get(key);
    // The deliveries were stored by a process that did not yet know that the subscription had ended.
    if (subscription === undefined || subscription.stopped !== undefined) {
      await deliveries.drop(key);
      return false;
    }
    const eventsACall = subscription.eventsACall ?? 1;
    const leased = await deliveries.take(key, CALLS_PER_ROUND * eventsACall, LEASE_MS, eventsACall);
    const calls = Map.groupBy(leased, ({ _id, call }) => (eventsACall > 1 && call) || _id);
    let isGone = false;
    await pLimit(MAX_CONCURRENT_CALLS).map([...calls.values()], async (group) => {
      if (isClosed) return deliveries.giveBack(group.map(({ _id }) => _id));
      // `stop` removes the remaining deliveries.
      if (isGone || !(await send(subscription, group))) return;
      isGone = true;
      await stop(key, callNotice("RECEIVER_GONE", {}));
    });
    return leased.length >= CALLS_PER_ROUND * eventsACall;
  }

  async function run(key: string): Promise<void> {
    try {
      while (!isClosed && (await runRound(key)));
    } catch (error) {
      log.warn({ subscription: key, error: reasonOf(error as Error) }, "deliveries will be retried");
    } finally {
      running.delete(key);
    }
  }

  return {
    async begin() {
      for (const key of await deliveries.findDue()) if (!isClosed && !running.has(key)) running.set(key, run(key));
    },
    async close() {
      isClosed = true;
      await Promise.all(running.values());
    },
  };
}

/** Returns the call with these events: a list if the subscription takes several events per call. */
function callFor(
  { url, secret, eventsACall = 1 }: Subscription,
  group: readonly Delivery[],
  first: Delivery,
): Parameters<Dependencies["receivers"]["call"]>[0] {
  const isList = eventsACall > 1;
  const name = (isList && first.call) || group.map(({ _id }) => _id).join("\n");
  return {
    url,
    secret,
    // Event ids contain item ids in any script, but HTTP headers are limited to ASCII.
    id: `msg_${hash("sha256", name, "base64url")}`,
    type: isList ? "application/cloudevents-batch+json" : "application/cloudevents+json",
    body: JSON.stringify(isList ? group.map(({ event }) => event) : first.event),
  };
}
