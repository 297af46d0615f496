import { hash } from "node:crypto";
import type { Logger } from "pino";
import type { Commit } from "../../queues/changes/commit.ts";
import type { Stored } from "../../records/kind.ts";
import { subscriptions as kind } from "../../records/kinds/subscription.ts";
import type { Deliveries, Delivery } from "../../records/outbox/deliveries.ts";
import type { Records } from "../../records/records.ts";
import type { Subscription } from "../../schemas/subscription.ts";
import type { Answer, Call } from "./receivers.ts";
import { nextAttempt } from "./retry.ts";

interface Dependencies {
  records: Records;
  commit: Commit;
  deliveries: Deliveries;
  receivers: { call(call: Call): Promise<Answer> };
  now(): Date;
  random(): number;
  log: Logger;
}

export interface DeliveryRounds {
  /** Begins to send what is due, to each receiver by itself: one that is slow holds up no other. */
  begin(): Promise<void>;
  /** Waits for the calls that are under way; begins no others. */
  close(): Promise<void>;
}

/** How many calls a round makes, and how many of them at once; all of them take less time than what they carry is taken for. */
const CALLS_PER_ROUND = 20;
const MAX_CONCURRENT_CALLS = 4;
const LEASE_MS = 120_000;

/** Sends what is due to its receivers; what does not arrive is tried again for 24 hours, and then waits to be replayed. */
export function createDelivery(dependencies: Dependencies): DeliveryRounds {
  const { records, commit, deliveries, receivers, now, random, log } = dependencies;
  const running = new Map<string, Promise<void>>();
  let isClosed = false;

  async function send(subscription: Stored<Subscription>, group: readonly Delivery[]): Promise<void> {
    const [first] = group;
    if (first === undefined) return;
    const isList = (subscription.eventsACall ?? 1) > 1;
    const ids = group.map(({ _id }) => _id);
    const answer = await receivers.call({
      url: subscription.url,
      secret: subscription.secret,
      // Ids hold what items are called, in any script; a header takes ASCII.
      id: `msg_${hash("sha256", ids.join("\n"), "base64url")}`,
      type: isList ? "application/cloudevents-batch+json" : "application/cloudevents+json",
      body: JSON.stringify(isList ? group.map(({ event }) => event) : first.event),
    });
    if (answer.kind === "delivered") return deliveries.confirm(ids);
    if (answer.kind === "gone") return stop(subscription, "the receiver answered 410: it wants no more");
    const { reason } = answer;
    log.warn({ subscription: subscription._id, events: group.length, reason }, "events were not delivered");
    await deliveries.putOff(
      group.map(({ _id, since, attempts }) => {
        return { id: _id, attempts: attempts + 1, due: nextAttempt(since, attempts + 1, now(), random()), reason };
      }),
    );
  }

  async function stop({ _id }: Stored<Subscription>, stopped: string): Promise<void> {
    await commit.change(kind, [_id], (_, current) => current && { ...current, stopped }, "bulk");
    await deliveries.drop(_id);
    log.warn({ subscription: _id, stopped }, "a subscription is stopped");
  }

  /** Sends a part of what is due for a subscription; says whether there may be more. */
  async function runRound(key: string): Promise<boolean> {
    const subscription = (await records.read(kind, [key])).get(key);
    // Events may have been kept by a process that did not know yet.
    if (subscription === undefined || subscription.stopped !== undefined) {
      await deliveries.drop(key);
      return false;
    }
    const eventsACall = subscription.eventsACall ?? 1;
    const taken = await deliveries.take(key, CALLS_PER_ROUND * eventsACall, LEASE_MS);
    const calls = Array.from({ length: Math.ceil(taken.length / eventsACall) }, (_, call) =>
      taken.slice(call * eventsACall, (call + 1) * eventsACall),
    );
    // What is not begun when the process ends is due again for another, once nobody has it any more.
    await inTurns(calls, async (group) => {
      if (!isClosed) await send(subscription, group);
    });
    return taken.length === CALLS_PER_ROUND * eventsACall;
  }

  async function run(key: string): Promise<void> {
    try {
      while (!isClosed && (await runRound(key)));
    } catch (error) {
      log.warn({ subscription: key, error: (error as Error).message }, "deliveries will be tried again");
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

/** Some calls to a receiver at once, begun in order. */
async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values();
  await Promise.all(
    Array.from({ length: MAX_CONCURRENT_CALLS }, async () => {
      for (const one of waiting) await work(one);
    }),
  );
}
