import type { Redis } from "ioredis";
import { prefixOf } from "../redis.ts";

/** Since when a transmitter has had no answer of a label server, for other processes to tell. */
export interface LabelServerAway {
  /**
   * To be called again and again: a note ends after some seconds. `key` is a label server's; the installation's is empty.
   * Undefined takes the note away.
   */
  note(key: string, since: Date | undefined): Promise<void>;
  /** Undefined where no transmitter says so. */
  read(key: string): Promise<Date | undefined>;
}

const NOTE_TTL_SECONDS = 15;

export function openLabelServerAway(redis: Redis): LabelServerAway {
  const noteOf = (key: string): string => `${prefixOf("transmitter")}:label-server-away:${key}`;
  const noted = new Set<string>();
  return {
    async note(key, since) {
      if (since !== undefined) {
        await redis.set(noteOf(key), since.getTime(), "EX", NOTE_TTL_SECONDS);
        noted.add(key);
      } else if (noted.delete(key)) await redis.del(noteOf(key));
    },
    async read(key) {
      const since = await redis.get(noteOf(key));
      return since === null ? undefined : new Date(Number(since));
    },
  };
}
