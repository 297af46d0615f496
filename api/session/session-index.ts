import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import type { Permit } from "../access/verify-token.ts";

/** The owner of sessions: all with the same tenant and caller. */
export type SessionOwner = Pick<Permit, "tenant" | "caller">;

/** The facts about a session other than its rights; times are epoch milliseconds. */
export interface SessionFacts {
  begun: number;
  seen: number;
  /** The latest time at which it ends. */
  until: number;
  /** When the session's token or ticket was issued, in seconds; an earlier revocation does not affect the session. */
  issuedAt?: number | undefined;
  /** For a user: the mark of the password with which the session started. */
  password?: string | undefined;
  /** A name such as "Chrome, Android"; empty if unknown. */
  device: string;
}

/** Returns the name under which a session is listed: the hash of its id. Nobody can take over a session with this hash. */
export const sessionName = (id: string): string => hash("sha256", id, "base64url");

/**
 * The sessions of each owner, by name. A session needs its entry here and its sealed content, and has ended when either
 * is deleted. No command uses several keys, since these may be in different slots of a Redis Cluster.
 */
export function createSessionIndex(redis: Pick<Redis, "hset" | "hget" | "hgetall" | "hdel" | "pexpireat">) {
  const keyOf = ({ tenant, caller }: SessionOwner) =>
    `sessions-of:${hash("sha256", JSON.stringify([tenant, caller]), "base64url")}`;
  return {
    /** Adds or updates a session's facts; the list is kept for as long as its newest session may last. */
    async enter(owner: SessionOwner, name: string, facts: SessionFacts, keptUntil: number): Promise<void> {
      await redis.hset(keyOf(owner), name, JSON.stringify(facts));
      await redis.pexpireat(keyOf(owner), keptUntil);
    },
    async read(owner: SessionOwner, name: string): Promise<SessionFacts | undefined> {
      const found = await redis.hget(keyOf(owner), name);
      return found === null ? undefined : (JSON.parse(found) as SessionFacts);
    },
    async all(owner: SessionOwner): Promise<({ name: string } & SessionFacts)[]> {
      const found = await redis.hgetall(keyOf(owner));
      return Object.entries(found).map(([name, facts]) => ({ name, ...(JSON.parse(facts) as SessionFacts) }));
    },
    async remove(owner: SessionOwner, names: readonly string[]): Promise<void> {
      if (names.length > 0) await redis.hdel(keyOf(owner), ...names);
    },
  };
}
