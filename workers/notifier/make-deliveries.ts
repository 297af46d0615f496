import type { ChangeEvents } from "../../queues/publish/change-events.ts";
import { matchesKey, type SubscriptionMatcher } from "../../queues/publish/subscription-matcher.ts";
import type { RecordKind } from "../../records/kind.ts";
import type { Deliveries } from "../../records/outbox/deliveries.ts";
import type { Records } from "../../records/records.ts";
import { observedBy } from "../../schemas/events.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import type { NotifierWorld } from "./world.ts";

interface Dependencies {
  records: Records;
  kinds: readonly RecordKind<unknown>[];
  deliveries: Deliveries;
  subscriptionMatcher: SubscriptionMatcher;
  eventsOf: ChangeEvents;
}

/** Keeps changes for those who have subscribed to them, as the events that each will be sent. */
export function createMakeDeliveries({
  records,
  kinds,
  deliveries,
  subscriptionMatcher: matcher,
  eventsOf,
}: Dependencies): NotifierWorld["makeDeliveries"] {
  /** A process that was killed between its note and its write leaves a change that never happened. */
  async function happened(topic: Topic, changes: readonly Change[]): Promise<Change[]> {
    const kind = kinds.find((one) => one.topic === topic);
    if (kind === undefined) return [...changes];
    const revs = await records.readRevs(
      kind,
      changes.map(({ key }) => key),
    );
    return changes.filter(({ key, rev }) => (revs.get(key) ?? 0) >= rev);
  }

  return async (topic, changes) => {
    const byTenant = await matcher.byTenant(topic);
    for (const [tenant, group] of Map.groupBy(await happened(topic, changes), ({ key }) => tenantOf(key))) {
      for (const observed of observedBy(topic)) {
        const hearing = (byTenant.get(tenant) ?? []).filter(({ topics }) => topics.includes(observed));
        if (hearing.length === 0) continue;
        const events = await eventsOf(observed, topic, group);
        await deliveries.keep(
          hearing.flatMap((one) =>
            events.filter(({ subject }) => matchesKey(one, subject)).map((event) => ({ subscription: one._id, event })),
          ),
        );
      }
    }
  };
}
