import type { Redis } from "ioredis";
import type { Inbox } from "../../records/outbox/inbox.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import { writeLabelStreams, writeStreams } from "./streams.ts";
import { matchesKey, type SubscriptionMatcher } from "./subscription-matcher.ts";

/**
 * Observers receive changes without deriving records from them: subscriptions through the inbox, and tails through Redis
 * streams.
 */
export interface Observers {
  /** Adds the changes that subscriptions match to the inbox, and writes the changes that are tailed to the streams. */
  notify(topic: Topic, changes: readonly Change[]): Promise<void>;
  /** Writes the keys of labels that changed to the streams of labels that are tailed. */
  streamLabels(keys: readonly string[]): void;
}

const CHANGES_PER_ENTRY = 1000;

export function createObservers(dependencies: {
  redis: Redis;
  matcher: SubscriptionMatcher;
  inbox: Pick<Inbox, "add">;
  /** Whether Redis is so full that tails miss changes. */
  isFull(): Promise<boolean>;
  onError(error: Error): void;
}): Observers {
  const { redis, matcher: subscriptionMatcher, inbox, isFull, onError } = dependencies;

  async function writeUnlessFull(write: () => Promise<void>): Promise<void> {
    if (redis.status === "ready" && !(await isFull())) await write();
  }

  return {
    async notify(topic, changes) {
      void writeUnlessFull(() => writeStreams(redis, topic, changes)).catch(onError);
      const byTenant = await subscriptionMatcher.byTenant(topic);
      const wanted = changes.filter(({ key }) =>
        byTenant.get(tenantOf(key))?.some((subscription) => matchesKey(subscription, key)),
      );
      for (const batch of inBatches(wanted, CHANGES_PER_ENTRY)) await inbox.add(topic, batch);
    },

    streamLabels(keys) {
      if (keys.length > 0) void writeUnlessFull(() => writeLabelStreams(redis, keys)).catch(onError);
    },
  };
}
