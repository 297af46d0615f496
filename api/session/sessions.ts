import { hash, randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import { decodeJwt } from "jose";
import type { Permit } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";

/** Sessions of browsers, in Redis: each process knows them, a logout ends them, and a wipe of Redis only logs everyone out. */
export interface Sessions {
  /** Begins a session with the rights of a token, which ends with the token, after SESSION_TTL_S at the latest. */
  begin(token: string): Promise<{ id: string; permit: Permit; secondsLeft: number }>;
  /** The rights of a session; undefined where there is none of this id, or it is over. */
  read(id: string): Promise<Permit | undefined>;
  end(id: string): Promise<void>;
}

export interface SessionsWorld {
  redis: Pick<Redis, "set" | "get" | "del">;
  /** The rights of a token; throws a TokenError or an IssuerError. */
  verify(token: string): Promise<Permit>;
  now(): Date;
}

/** A working day. */
const SESSION_TTL_S = 8 * 3_600;
const ID_BYTES = 32;

export function createSessions({ redis, verify, now }: SessionsWorld): Sessions {
  return {
    async begin(token) {
      const permit = await verify(token);
      const untilExpiry = (decodeJwt(token).exp ?? 0) - Math.ceil(now().getTime() / 1000);
      const secondsLeft = Math.max(1, Math.min(SESSION_TTL_S, untilExpiry));
      const id = randomBytes(ID_BYTES).toString("base64url");
      await reached(redis.set(keyOf(id), stored(permit), "EX", secondsLeft));
      return { id, permit, secondsLeft };
    },

    async read(id) {
      const found = await reached(redis.get(keyOf(id)));
      return found === null ? undefined : restored(found);
    },

    async end(id) {
      await reached(redis.del(keyOf(id)));
    },
  };
}

/** Hashed: what reads Redis cannot take a session over. */
const keyOf = (id: string): string => `session:${hash("sha256", id, "base64url")}`;

const stored = ({ stores, scopes, ...permit }: Permit): string =>
  JSON.stringify({ ...permit, stores: stores === "*" ? stores : [...stores], scopes: [...scopes] });

function restored(text: string): Permit {
  const { stores, scopes, ...permit } = JSON.parse(text);
  return { ...permit, stores: stores === "*" ? stores : new Set(stores), scopes: new Set(scopes) };
}

async function reached<T>(command: Promise<T>): Promise<T> {
  return command.catch(() => {
    throw new ProblemError("unavailable", "Redis cannot be reached, which has the sessions and the queues.", {
      headers: { "retry-after": "5" },
    });
  });
}
