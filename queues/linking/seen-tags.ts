import type { Redis } from "ioredis";
import type { SeenTag } from "../../schemas/unknown-tag.ts";
import { prefixOf } from "../redis.ts";

/**
 * Records, for other processes, which tags an access point lists. A label server is identified by its key. The records are kept
 * only in Redis: if one is lost, the transmitter writes it again.
 */
export interface SeenTagNotes {
  /** Replaces the previous list; it expires unless it is written again within a day. */
  note(labelServer: string, tags: readonly SeenTag[]): Promise<void>;
  read(labelServer: string): Promise<SeenTag[]>;
}

const TTL_SECONDS = 86_400;

export function openSeenTags(redis: Redis): SeenTagNotes {
  const placeOf = (labelServer: string): string => `${prefixOf("transmitter")}:seen-tags:${labelServer}`;
  return {
    async note(labelServer, tags) {
      await redis.set(placeOf(labelServer), JSON.stringify(tags), "EX", TTL_SECONDS);
    },
    async read(labelServer) {
      const noted = await redis.get(placeOf(labelServer));
      return noted === null ? [] : (JSON.parse(noted) as SeenTag[]);
    },
  };
}
