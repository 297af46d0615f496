import type { Redis } from "ioredis";
import { prefixOf, sendTogether } from "../redis.ts";

/** The choice of the rules for a link. */
export interface Choice {
  /** Rev of the item for which they did. */
  itemRev: number;
  /** Full key of the design; null if none fits. */
  design: string | null;
}

/** The newest choices of the evaluator, for pictures that must not go before it (workers/transmitter/hold-picture.ts). */
export interface Choices {
  note(choices: ReadonlyMap<string, Choice>): Promise<void>;
  /** The recorded choices of these links; none while Redis is unavailable. */
  read(links: readonly string[]): Promise<Map<string, Choice>>;
}

/** Longer than a picture is held. */
const NOTE_TTL_SECONDS = 5;

/** Opens the records of choices in Redis. A lost record delays a picture, but never forever. */
export function openChoices(redis: Redis, onError: (error: Error) => void): Choices {
  const keyOf = (link: string) => `${prefixOf("evaluator")}:chosen:${link}`;
  return {
    async note(choices) {
      const notes = [...choices].map(
        ([link, { itemRev, design }]) =>
          ["set", keyOf(link), `${itemRev} ${design ?? ""}`, "EX", NOTE_TTL_SECONDS] as const,
      );
      await sendTogether(redis, notes).catch(onError);
    },

    async read(links) {
      if (links.length === 0) return new Map();
      const notes = await redis.mget(links.map(keyOf)).catch((error: Error): null[] => {
        onError(error);
        return [];
      });
      return new Map(
        links.flatMap((link, index): [string, Choice][] => {
          const [itemRev, design] = notes[index]?.split(" ") ?? [];
          return itemRev === undefined ? [] : [[link, { itemRev: Number(itemRev), design: design || null }]];
        }),
      );
    },
  };
}
