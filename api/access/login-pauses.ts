import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import { within } from "../../records/client.ts";

/** Who tries to log in: as whom, and from where. */
export interface Attempt {
  userName: string;
  address: string;
}

/** Slows those down who guess passwords: after some failures of a name, or of an address, each costs a longer pause. */
export interface LoginPauses {
  /** Seconds for which nobody may log in under this name or from this address; 0 where there is no pause. */
  left(attempt: Attempt): Promise<number>;
  failed(attempt: Attempt): Promise<void>;
  /** The name's failures are forgotten; those of the address are not, or one good name would hide guesses at others. */
  succeeded(attempt: Attempt): Promise<void>;
}

/** How many failures there may be before the first pause. Many callers may share an address. */
const free = { user: 4, address: 19 };
const MAX_PAUSE_MS = 15 * 60_000;
/** Longer than any pause, so that the next failure after one finds what it grows from. */
const FAILURES_TTL_MS = 60 * 60_000;
const MAX_LOCAL_ENTRIES = 10_000;
const WAIT_MS = 200;

/** The pause after so many failures: it doubles with each. */
export const pauseAfter = (failures: number, free: number): number =>
  failures <= free ? 0 : Math.min(1000 * 2 ** (failures - free - 1), MAX_PAUSE_MS);

interface LoginPausesWorld {
  redis: Pick<Redis, "status" | "multi" | "pttl" | "set" | "del">;
  clock(): number;
  onError(error: Error): void;
}

/**
 * Counts in Redis, so that all processes know; and in this process, which goes on alone while Redis is away. A flush
 * forgets the failures: then guessing begins anew, slowed again after the first few.
 */
export function createLoginPauses({ redis, clock, onError }: LoginPausesWorld): LoginPauses {
  const here = new LRUCache<string, { failures: number; until: number }>({
    max: MAX_LOCAL_ENTRIES,
    ttl: FAILURES_TTL_MS,
  });

  /** What Redis says; undefined while it is away. */
  async function ask<T>(question: () => Promise<T>): Promise<T | undefined> {
    if (redis.status !== "ready") return undefined;
    try {
      return await within(WAIT_MS, question());
    } catch (error) {
      onError(error as Error);
      return undefined;
    }
  }

  return {
    async left(attempt) {
      const keys = keysOf(attempt).map(({ key }) => key);
      const told = await ask(() => Promise.all(keys.map((key) => redis.pttl(pauseKey(key)))));
      const left = told ?? keys.map((key) => (here.get(key)?.until ?? 0) - clock());
      return Math.max(0, ...left.map((milliseconds) => Math.ceil(milliseconds / 1000)));
    },

    async failed(attempt) {
      for (const { key, allowed } of keysOf(attempt)) {
        const failures = (here.get(key)?.failures ?? 0) + 1;
        here.set(key, { failures, until: clock() + pauseAfter(failures, allowed) });
        await ask(async () => {
          const counted = await redis.multi().incr(failuresKey(key)).pexpire(failuresKey(key), FAILURES_TTL_MS).exec();
          const pause = pauseAfter(Number(counted?.[0]?.[1]), allowed);
          if (pause > 0) await redis.set(pauseKey(key), "", "PX", pause);
        });
      }
    },

    async succeeded({ userName, address }) {
      const [user] = keysOf({ userName, address });
      if (user === undefined) return;
      here.delete(user.key);
      await ask(() => redis.del(failuresKey(user.key), pauseKey(user.key)));
    },
  };
}

/** Digests, because what a stranger sends as a name may be long. */
const keysOf = ({ userName, address }: Attempt) => [
  { key: hash("sha256", `user ${userName}`, "base64url"), allowed: free.user },
  { key: hash("sha256", `address ${address}`, "base64url"), allowed: free.address },
];

const failuresKey = (key: string): string => `{login:${key}}:failures`;
const pauseKey = (key: string): string => `{login:${key}}:pause`;
