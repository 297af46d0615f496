import { refusalOf } from "../records/mongodb/refusals.ts";
import { isUnavailable } from "../records/mongodb/unavailable.ts";

/** Which database causes a call to fail, and why. */
export type Outage = "mongodb.away" | "mongodb.full" | "mongodb.denied" | "redis.away" | "redis.full";

/** Returns the outage that a MongoDB error indicates; undefined for any other error. */
export function mongoOutageOf(error: unknown): Outage | undefined {
  if (!isUnavailable(error)) return undefined;
  return `mongodb.${(error instanceof Error && refusalOf(error)) || "away"}`;
}

/** Returns the outage that a Redis command's error indicates. */
export const redisOutageOf = (error: Error): Outage => (saysFull(error) ? "redis.full" : "redis.away");

/** Whether Redis rejected a command because its memory is used up. */
export const saysFull = ({ message }: Error): boolean => message.startsWith("OOM ");

/** The messages for callers. The database's own message is for operators, and is logged. */
export const outageTexts: Readonly<Record<Outage, string>> = {
  "mongodb.away": "The database cannot be reached.",
  "mongodb.full": "The database is full and stores nothing until its operator provides more space.",
  "mongodb.denied": "The database denies access to this server until its operator corrects the configuration.",
  "redis.away": "Redis, which stores the sessions and the queues, is unavailable.",
  "redis.full": "Redis is full and accepts no session and no job until its operator provides more memory.",
};
