import type { ChangeEvents } from "../../queues/publish/change-events.ts";
import { matchesKey, type SubscriptionMatcher } from "../../queues/publish/subscription-matcher.ts";
import { OlderRecordError } from "../../records/announced-revs.ts";
import type { Deliveries } from "../../records/outbox/deliveries.ts";
import type { Records } from "../../records/records.ts";
import { observedBy } from "../../schemas/events.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import type { NotifierWorld } from "./world.ts";

interface Dependencies {
  records: Pick<Records, "readRevs">;
  deliveries: Deliveries;
  subscriptionMatcher: SubscriptionMatcher;
  eventsOf: ChangeEvents;
  now(): Date;
}

/**
 * How long a change's events wait for its record. If the record is still older after this time, it must have been removed, and
 * perhaps created again: no primary lacks a write for this long.
 */
const MAX_WAIT_MS = 600_000;

/**
 * Writes the deliveries for changes, which are the events for each matching subscription. If an event needs a record that the
 * database still returns at an older rev, writes nothing and throws OlderRecordError.
 */
export function createMakeDeliveries({
  records,
  deliveries,
  subscriptionMatcher: matcher,
  eventsOf,
  now,
}: Dependencies): NotifierWorld["makeDeliveries"] {
  /** Checks that the records are as new as the changes: a change is published after its write. */
  async function assertReached(topic: Topic, changes: readonly Change[]): Promise<void> {
    const since = now().getTime() - MAX_WAIT_MS;
    const recent = changes.filter(({ at = 0 }) => at > since);
    if (recent.length === 0) return;
    const revs = await records.readRevs(
      { name: topic },
      recent.map(({ key }) => key),
    );
    // A deleted record that is not found is not older: its tombstone may have been removed.
    const older = recent.find(
      ({ key, rev, operation }) => (revs.get(key) ?? (operation === "DELETED" ? rev : 0)) < rev,
    );
    if (older) throw new OlderRecordError(older);
  }

  return async (topic, changes) => {
    const byTenant = await matcher.byTenant(topic);
    const told = [...Map.groupBy(changes, ({ key }) => tenantOf(key))]
      .flatMap(([tenant, group]) =>
        observedBy(topic).map((observed) => {
          const matching = (byTenant.get(tenant) ?? []).filter(({ topics }) => topics.includes(observed));
          return { observed, group, matching };
        }),
      )
      .filter(({ matching }) => matching.length > 0);
    // An event on its change's own topic contains only the change; other events may need the record.
    await assertReached(
      topic,
      told.flatMap(({ observed, group }) => (observed === topic ? [] : group)),
    );
    for (const { observed, group, matching } of told) {
      const events = await eventsOf(observed, topic, group);
      await deliveries.keep(
        matching.flatMap((subscription) =>
          events
            .filter(({ subject }) => matchesKey(subscription, subject))
            .map((event) => ({ subscription: subscription._id, event })),
        ),
      );
    }
  };
}
