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

/** Stores deliveries of changes: the events for each matching subscription. */
export function createMakeDeliveries({
  records,
  kinds,
  deliveries,
  subscriptionMatcher: matcher,
  eventsOf,
}: Dependencies): NotifierWorld["makeDeliveries"] {
  /**
   * Returns only changes whose record was written: if a process is killed between its outbox entry and its write, the change
   * never happened.
   */
  async function committedChanges(topic: Topic, changes: readonly Change[]): Promise<Change[]> {
    const kind = kinds.find((candidate) => candidate.topic === topic);
    if (kind === undefined) return [...changes];
    const revs = await records.readRevs(
      kind,
      changes.map(({ key }) => key),
    );
    return changes.filter(({ key, rev }) => (revs.get(key) ?? 0) >= rev);
  }

  return async (topic, changes) => {
    const byTenant = await matcher.byTenant(topic);
    for (const [tenant, group] of Map.groupBy(await committedChanges(topic, changes), ({ key }) => tenantOf(key))) {
      for (const observed of observedBy(topic)) {
        const matching = (byTenant.get(tenant) ?? []).filter(({ topics }) => topics.includes(observed));
        if (matching.length === 0) continue;
        const events = await eventsOf(observed, topic, group);
        await deliveries.keep(
          matching.flatMap((subscription) =>
            events
              .filter(({ subject }) => matchesKey(subscription, subject))
              .map((event) => ({ subscription: subscription._id, event })),
          ),
        );
      }
    }
  };
}
