import type { Redis } from "ioredis";
import { prefixOf, sendTogether } from "../redis.ts";

/** The rules' choice for a link. */
export interface Choice {
  /** Rev of the item for which the rules chose. */
  itemRev: number;
  /** Full key of the design; null if none fits. */
  design: string | null;
}

/** An item's latest changes that no rule reads, so that choices for rev `from` also apply to rev `to`. */
export interface Unread {
  from: number;
  to: number;
}

/** The evaluator's newest choices, for pictures that must not be sent before them (workers/transmitter/hold-picture.ts). */
export interface Choices {
  note(choices: ReadonlyMap<string, Choice>): Promise<void>;
  /** Records, by item key, the changes that no rule reads. */
  noteUnread(items: ReadonlyMap<string, Unread>): Promise<void>;
  /** The recorded unread changes of these items; none while Redis is unavailable. */
  readUnread(items: readonly string[]): Promise<Map<string, Unread>>;
  /** The recorded choices of these links; none while Redis is unavailable. */
  read(links: readonly string[]): Promise<Map<string, Choice>>;
}

/** How long a record lasts: longer than a picture is held. */
const NOTE_TTL_SECONDS = 5;

/** Opens the records of choices in Redis. A lost record delays a picture, but never forever. */
export function openChoices(redis: Redis, onError: (error: Error) => void): Choices {
  const keyOf = (link: string) => `${prefixOf("evaluator")}:chosen:${link}`;
  const keyOfItem = (item: string) => `${prefixOf("evaluator")}:unread:${item}`;

  /** Reads the values of these keys; none while Redis is unavailable. */
  const readTexts = (keys: string[]): Promise<(string | null)[]> =>
    redis.mget(keys).catch((error: Error) => {
      onError(error);
      return [];
    });

  async function readUnread(items: readonly string[]): Promise<Map<string, Unread>> {
    if (items.length === 0) return new Map();
    const notes = await readTexts(items.map(keyOfItem));
    return new Map(
      items.flatMap((item, index): [string, Unread][] => {
        const [from, to] = notes[index]?.split(" ").map(Number) ?? [];
        return from === undefined || to === undefined ? [] : [[item, { from, to }]];
      }),
    );
  }

  return {
    async note(choices) {
      const notes = [...choices].map(
        ([link, { itemRev, design }]) =>
          ["set", keyOf(link), `${itemRev} ${design ?? ""}`, "EX", NOTE_TTL_SECONDS] as const,
      );
      await sendTogether(redis, notes).catch(onError);
    },

    async noteUnread(items) {
      // Unread changes that follow or repeat one another count as one. If two processes write at the same time, a picture is held
      // briefly.
      const before = await readUnread([...items.keys()]);
      const notes = [...items].map(([item, { from, to }]) => {
        const last = before.get(item);
        const joined =
          last && last.from <= from && from <= last.to ? { ...last, to: Math.max(last.to, to) } : { from, to };
        return ["set", keyOfItem(item), `${joined.from} ${joined.to}`, "EX", NOTE_TTL_SECONDS] as const;
      });
      await sendTogether(redis, notes).catch(onError);
    },

    readUnread,

    async read(links) {
      if (links.length === 0) return new Map();
      const notes = await readTexts(links.map(keyOf));
      return new Map(
        links.flatMap((link, index): [string, Choice][] => {
          const [itemRev, design] = notes[index]?.split(" ") ?? [];
          return itemRev === undefined ? [] : [[link, { itemRev: Number(itemRev), design: design || null }]];
        }),
      );
    },
  };
}
