import type { Redis } from "ioredis";
import { prefixOf } from "../redis.ts";

/** Since when a transmitter has had no answer of its label server, for other processes to tell. */
export interface LabelServerAway {
  /** To be called again and again: a note ends after some seconds. Undefined takes the note away. */
  note(since: Date | undefined): Promise<void>;
  /** Undefined where no transmitter says so. */
  read(): Promise<Date | undefined>;
}

const NOTE_TTL_SECONDS = 15;

export function openLabelServerAway(redis: Redis): LabelServerAway {
  const key = `${prefixOf("transmitter")}:label-server-away`;
  let isNoted = false;
  return {
    async note(since) {
      if (since !== undefined) await redis.set(key, since.getTime(), "EX", NOTE_TTL_SECONDS);
      else if (isNoted) await redis.del(key);
      isNoted = since !== undefined;
    },
    async read() {
      const since = await redis.get(key);
      return since === null ? undefined : new Date(Number(since));
    },
  };
}
