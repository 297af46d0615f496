import type { Redis } from "ioredis";
import type { Outbox } from "../../records/outbox/inbox.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import { writeStreams } from "./streams.ts";
import { hears, type Interest } from "./subscription-match.ts";

/** Those who look on: they are told of changes, and nothing works on what they hear. */
export interface Observers {
  /** Keeps for the notifier what somebody has subscribed to, and shows all of it to those who tail. */
  tell(topic: Topic, changes: readonly Change[]): Promise<void>;
}

const CHANGES_AN_ENTRY = 1000;

export function createObservers(dependencies: {
  redis: Redis;
  interest: Interest;
  outbox: Pick<Outbox, "add">;
  onError(error: Error): void;
}): Observers {
  const { redis, interest, outbox, onError } = dependencies;
  return {
    async tell(topic, changes) {
      if (redis.status === "ready") void writeStreams(redis, topic, changes).catch(onError);
      const byTenant = await interest.byTenant(topic);
      const wanted = changes.filter(({ key }) => byTenant.get(tenantOf(key))?.some((one) => hears(one, key)));
      for (let from = 0; from < wanted.length; from += CHANGES_AN_ENTRY)
        await outbox.add(topic, wanted.slice(from, from + CHANGES_AN_ENTRY));
    },
  };
}
