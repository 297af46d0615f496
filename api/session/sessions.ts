import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import { decodeJwt } from "jose";
import { outageTexts, redisOutageOf } from "../../queues/outage.ts";
import { tokenProblem } from "../access/identify.ts";
import { type Permit, TokenError } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";

/** Sessions of browsers, in Redis: each process knows them, a logout ends them, and a wipe of Redis only logs everyone out. */
export interface Sessions {
  /** Begins a session with the rights of a token, which ends with the token, after SESSION_TTL_S at the latest. */
  begin(token: string): Promise<{ id: string; permit: Permit; secondsLeft: number }>;
  /** The current rights of a session according to its token; undefined if no session has this id, or it has ended. */
  read(id: string): Promise<Permit | undefined>;
  end(id: string): Promise<void>;
}

export interface SessionsWorld {
  redis: Pick<Redis, "set" | "get" | "del">;
  /** The rights of a token; throws a TokenError or an IssuerError. */
  verify(token: string): Promise<Permit>;
  now(): Date;
  onError(error: Error): void;
}

/** A working day. */
const SESSION_TTL_S = 8 * 3_600;
const ID_BYTES = 32;
const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Redis stores the session's token, encrypted with the session's id, which only the browser has. So reading Redis
 * reveals no token, and writing to it grants no rights: rights come from a token signed by its issuer, at each call.
 */
export function createSessions({ redis, verify, now, onError }: SessionsWorld): Sessions {
  const reached = <T>(command: Promise<T>): Promise<T> =>
    command.catch((error: Error) => {
      onError(error);
      const outage = redisOutageOf(error);
      throw new ProblemError("unavailable", outageTexts[outage], { headers: { "retry-after": "5" }, outage });
    });

  const permitOf = async (token: string): Promise<Permit> => ({ ...(await verify(token)), hasSession: true });

  return {
    async begin(token) {
      const permit = await permitOf(token);
      const untilExpiry = (decodeJwt(token).exp ?? 0) - Math.ceil(now().getTime() / 1000);
      const secondsLeft = Math.max(1, Math.min(SESSION_TTL_S, untilExpiry));
      const id = randomBytes(ID_BYTES).toString("base64url");
      await reached(redis.set(keyOf(id), sealed(id, token), "EX", secondsLeft));
      return { id, permit, secondsLeft };
    },

    async read(id) {
      const found = await reached(redis.get(keyOf(id)));
      const token = found === null ? undefined : opened(id, found);
      if (token === undefined) return undefined;
      return permitOf(token).catch((error: unknown) => {
        if (error instanceof TokenError) return undefined;
        throw tokenProblem(error);
      });
    },

    async end(id) {
      await reached(redis.del(keyOf(id)));
    },
  };
}

/** Hashed: what reads Redis cannot take a session over. The name differs from that of earlier releases, whose sessions were not sealed. */
const keyOf = (id: string): string => `sealed-session:${hash("sha256", id, "base64url")}`;

const sealingKey = (id: string): Buffer => Buffer.from(hkdfSync("sha256", id, "", "shelfwire session", 32));

function sealed(id: string, token: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey(id), iv, { authTagLength: TAG_BYTES });
  const text = Buffer.concat([cipher.update(token, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64");
}

/**
 * The token; undefined if the text was not encrypted with this id, such as a planted text or one moved from another
 * session.
 */
function opened(id: string, text: string): string | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(CIPHER, sealingKey(id), bytes.subarray(0, IV_BYTES), options);
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const token = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8");
  try {
    return token + decipher.final("utf8");
  } catch {
    return undefined;
  }
}
