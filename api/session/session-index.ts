import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import type { Permit } from "../access/verify-token.ts";

/** Whose sessions: all with the same tenant and caller. */
export type SessionOwner = Pick<Permit, "tenant" | "caller">;

/** What is known of a session beside its rights; times are epoch milliseconds. */
export interface SessionFacts {
  begun: number;
  seen: number;
  /** When it ends at the latest. */
  until: number;
  /** When the token or ticket of the session was issued, in seconds: an earlier revocation does not concern it. */
  issuedAt?: number | undefined;
  /** Of a user: the mark of the password with which it began. */
  password?: string | undefined;
  /** Such as "Chrome, Android"; empty if unknown. */
  device: string;
}

/** A session is known under the hash of its id, from which nobody can take it over. */
export const sessionName = (id: string): string => hash("sha256", id, "base64url");

/**
 * The sessions of each owner, by name. A session needs its entry here and its sealed content: it has ended when either is
 * deleted. Commands of several keys are avoided, since the keys are in several slots of a Redis Cluster.
 */
export function createSessionIndex(redis: Pick<Redis, "hset" | "hget" | "hgetall" | "hdel" | "pexpireat">) {
  const keyOf = ({ tenant, caller }: SessionOwner) =>
    `sessions-of:${hash("sha256", JSON.stringify([tenant, caller]), "base64url")}`;
  return {
    /** Enters a session, or what is known of it now; the list is kept as long as its newest session may last. */
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
