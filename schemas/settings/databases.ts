import { Type } from "typebox";
import { matching, type Setting, text } from "./setting.ts";

/** Databases that MongoDB reserves for itself. */
const OWN_DATABASES: readonly string[] = ["admin", "config", "local"];

/** Redis and MongoDB. */
export const databases = {
  REDIS_URL: {
    schema: Type.String({ pattern: "^rediss?://[^/?#]+(/\\d{0,5})?(\\?[^#]*)?$" }),
    right:
      "the address of a Redis server, such as redis://127.0.0.1:6379, or rediss:// with TLS; only a number may follow its /",
    isRight: (address) => URL.canParse(address),
    secret: true,
    means: "Queues and results: Redis >= 7 with noeviction; rediss:// for TLS",
  },
  REDIS_TLS: {
    schema: Type.Enum(["verified", "unverified"]),
    initial: "verified",
    means: "`unverified` accepts any certificate, as required for a platform's Redis with a self-signed certificate",
  },
  REDIS_MODE: {
    schema: Type.Enum(["single", "cluster"]),
    initial: "single",
    means: "`cluster` if REDIS_URL names a node of a Redis Cluster",
  },
  REDIS_SENTINELS: {
    schema: text,
    right: "a list of Redis Sentinels, such as sentinel-1:26379,sentinel-2:26379,sentinel-3:26379",
    isRight: (list) => list.split(",").every((sentinel) => isHostWithPort(sentinel.trim())),
    optional: true,
    means:
      "Redis Sentinels that name the Redis server: host:port, comma-separated; REDIS_URL then supplies only user, password, database number and TLS, including the Sentinels' TLS",
  },
  REDIS_SENTINEL_MASTER: {
    schema: matching(
      "^[\\w.-]+$",
      "must be the name of a master as Redis Sentinels know it: letters, digits and . _ -",
    ),
    initial: "mymaster",
    means: "Name of the master that the Redis Sentinels monitor",
  },
  REDIS_SENTINEL_PASSWORD: {
    schema: text,
    optional: true,
    secret: true,
    means: "Password of the Redis Sentinels themselves; none if absent",
  },
  QUEUE_PARTITIONS: {
    schema: Type.Integer({ minimum: 1, maximum: 16 }),
    initial: 1,
    means: "Number of partitions of each queue, divided by store: each has its own slot in a Redis Cluster",
  },
  MONGODB_URL: {
    schema: Type.String({ pattern: "^mongodb(\\+srv)?://." }),
    right: "the address of a MongoDB server, such as mongodb://127.0.0.1:27017 or mongodb+srv://example.com",
    secret: true,
    means: "Records: MongoDB >= 6",
  },
  MONGODB_DATABASE: {
    schema: Type.String({ pattern: '^[^/\\\\. "$*<>:|?]{1,63}$' }),
    right:
      "the name of a database: 1 to 63 characters without / \\ . $ * < > : | ? quotes and spaces, and not admin, config or " +
      "local, which MongoDB reserves",
    isRight: (name) => !OWN_DATABASES.includes(name) && Buffer.byteLength(name) <= 63,
    initial: "shelfwire",
    means: "Name of the database",
  },
} as const satisfies Record<string, Setting>;

const isHostWithPort = (text: string): boolean => /^[\w.:[\]-]+$/.test(text) && URL.canParse(`redis://${text}`);
