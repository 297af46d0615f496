import type { Redis } from "ioredis";
import type { Inbox } from "../../records/outbox/inbox.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import { writeStreams } from "./streams.ts";
import { matchesKey, type SubscriptionMatcher } from "./subscription-matcher.ts";

/** Those who look on: they are told of changes, and nothing works on what they hear. */
export interface Observers {
  /** Keeps for the notifier what somebody has subscribed to, and shows all of it to those who tail. */
  notify(topic: Topic, changes: readonly Change[]): Promise<void>;
}

const CHANGES_PER_ENTRY = 1000;

export function createObservers(dependencies: {
  redis: Redis;
  matcher: SubscriptionMatcher;
  inbox: Pick<Inbox, "add">;
  onError(error: Error): void;
}): Observers {
  const { redis, matcher: subscriptionMatcher, inbox, onError } = dependencies;
  return {
    async notify(topic, changes) {
      if (redis.status === "ready") void writeStreams(redis, topic, changes).catch(onError);
      const byTenant = await subscriptionMatcher.byTenant(topic);
      const wanted = changes.filter(({ key }) => byTenant.get(tenantOf(key))?.some((one) => matchesKey(one, key)));
      for (let from = 0; from < wanted.length; from += CHANGES_PER_ENTRY)
        await inbox.add(topic, wanted.slice(from, from + CHANGES_PER_ENTRY));
    },
  };
}
