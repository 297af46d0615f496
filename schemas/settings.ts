import { type TSchema, Type } from "typebox";

export interface Setting {
  schema: TSchema;
  means: string;
  /** The valid values in words, as they follow "must be". */
  right?: string;
  /** A further check of a value that has the right form; if absent, every such value is valid. */
  isRight?(value: string): boolean;
  initial?: string | number;
  /** May be absent, which has its own meaning. */
  optional?: true;
  /** Its value is never shown. */
  secret?: true;
}

const text = Type.String({ minLength: 1 });
const matching = (pattern: string, errorMessage: string) => Type.String({ pattern, errorMessage });
const url = matching("^https?://[^/]", 'must be a URL such as "https://example.com"');
const port = Type.Integer({ minimum: 1, maximum: 65_535 });
const count = Type.Integer({ minimum: 1, maximum: 1000 });
const seconds = Type.Integer({ minimum: 1 });
const rate = Type.Integer({ minimum: 0, maximum: 1_000_000 });
/** Databases that MongoDB uses itself. */
const OWN_DATABASES: readonly string[] = ["admin", "config", "local"];
const level = Type.Enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]);

/** Every setting with its form, its meaning and its default. `.env.example` is generated from this table. */
export const settings = {
  NODE_ENV: {
    schema: text,
    initial: "development",
    means: "`production` on a hosting platform: nothing is installed or launched automatically",
  },
  PORT: { schema: port, initial: 8080, means: "Port of the API" },
  LISTEN_HOST: {
    schema: text,
    optional: true,
    means: "Address on which servers listen; all addresses if absent, 127.0.0.1 with `npm start`",
  },
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
      "Redis Sentinels that name the Redis server: host:port, comma-separated; REDIS_URL then supplies only user, password, database number and TLS, also that of the Sentinels",
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
    means: "Partitions of each queue, divided by store: each has a slot of its own in a Redis Cluster",
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
  BASE_PATH: {
    schema: matching("^(/[\\w.~-]+)+$", 'must be a path such as "/shelfwire"'),
    optional: true,
    means: "Path under which a proxy serves the web process, such as /shelfwire; the root of the origin if absent",
  },
  BASE_DOMAIN: { schema: text, optional: true, means: "Also serve each store at {storeId}.{tenantId}.BASE_DOMAIN" },
  JWT_SECRET: {
    schema: Type.String({ minLength: 32 }),
    optional: true,
    secret: true,
    means: "Shared secret of HS256 tokens; either this or JWKS_URL is required",
  },
  JWT_SECRET_OTHER: {
    schema: Type.String({ minLength: 32 }),
    optional: true,
    secret: true,
    means: "A second secret with which tokens are accepted while JWT_SECRET is being replaced; never used for signing",
  },
  JWKS_URL: {
    schema: url,
    optional: true,
    means: "Where the token issuer publishes its keys; takes precedence over JWT_SECRET",
  },
  JWT_ISSUER: { schema: text, initial: "shelfwire", means: "Issuer that tokens must name" },
  JWT_AUDIENCE: { schema: text, initial: "shelfwire", means: "Audience that tokens must name" },
  TOKEN_LIFETIME: { schema: seconds, initial: 3_600, means: "Lifetime of login tokens, in seconds" },
  BASIC_AUTH: {
    schema: Type.Enum(["on", "off"]),
    initial: "on",
    means: "Whether API users may send their name and password with every request; never if JWKS_URL is set",
  },
  TRUSTED_PROXIES: {
    schema: Type.Integer({ minimum: 0, maximum: 10 }),
    initial: 0,
    means: "Number of trusted proxies in front of the API (X-Forwarded-For)",
  },
  CORS_ORIGINS: {
    schema: matching(
      "^(\\*|https?://[^\\s,/*]+( *, *https?://[^\\s,/*]+)*)$",
      'must be * or origins such as "https://shop.example", comma-separated',
    ),
    optional: true,
    means: "Origins whose pages may call the API from a browser, comma-separated, or *; none if absent",
  },
  RATE_LIMIT: {
    schema: rate,
    initial: 100,
    means: "Requests per second that the subject of a token may make; 0: unlimited",
  },
  RATE_BURST: {
    schema: rate,
    initial: 300,
    means: "Requests that the subject of a token may make in a burst after a pause; at least RATE_LIMIT",
  },
  TENANT_RATE_LIMIT: {
    schema: rate,
    initial: 1_000,
    means:
      "Requests per second that all tokens of a tenant may make together, with bursts of three times as many; 0: unlimited",
  },
  ADDRESS_RATE_LIMIT: {
    schema: rate,
    initial: 50,
    means:
      "Requests per second that an address may make without a valid token, with bursts of three times as many; 0: unlimited",
  },
  METRICS_TOKEN: {
    schema: matching("^[\\x21-\\x7e]{16,}$", "must have at least 16 visible ASCII characters and no spaces"),
    optional: true,
    secret: true,
    means:
      "Bearer token for /metrics, which covers all tenants; at least 16 characters; /metrics is disabled if absent",
  },
  LABEL_SERVER_URL: { schema: url, means: "URL of the label server that transmits the pictures" },
  LABEL_SERVER_SECRET: {
    schema: Type.String({ minLength: 16 }),
    secret: true,
    means: "Secret shared by Shelfwire and the label server, used in both directions",
  },
  LABEL_SERVER_SECRET_OTHER: {
    schema: Type.String({ minLength: 16 }),
    optional: true,
    secret: true,
    means: "A second secret that is accepted from the label server while LABEL_SERVER_SECRET is being replaced",
  },
  LABEL_SERVER_CONCURRENCY: { schema: count, initial: 16, means: "Concurrent calls to the label server" },
  BARCODE_PATTERN: {
    schema: text,
    right: 'a regular expression with a group named "type", such as (?<type>[0-9]{4}), whose digits are the label type',
    isRight: (pattern) => pattern.includes("(?<type>") && isExpression(pattern),
    initial: "^[A-Z]4[0-9A-Z]{10}(?<type>[0-9]{4})[0-9]$",
    means: "Regular expression that matches label barcodes, with a group `type`",
  },
  PUSH_PORT: {
    schema: Type.Integer({ minimum: 0, maximum: 65_535 }),
    optional: true,
    means: "Port on which the renderer accepts changes by POST /push/{topic}; disabled if absent",
  },
  PUSH_SECRET: {
    schema: matching("^whsec_[A-Za-z0-9+/]{32,}={0,2}$", 'must be "whsec_" followed by at least 24 bytes in base64'),
    optional: true,
    secret: true,
    means: "Secret of the subscription that pushes to the renderer and signs its calls",
  },
  WEBHOOKS_PRIVATE: {
    schema: matching(
      "^\\s*[^\\s,]+:(\\*|\\d{1,5})(\\s*,\\s*[^\\s,]+:(\\*|\\d{1,5}))*\\s*$",
      'must be a list such as "till.example:443,10.1.0.0/16:*"',
    ),
    optional: true,
    means:
      "Private receivers that subscriptions may use: host:port, comma-separated; a host is a name, an address or a network such as 10.1.0.0/16 or [fd00::/8], and port * is any port; none if absent",
  },
  RESULT_TTL: {
    schema: seconds,
    initial: 86_400,
    means: "How long the result of a request, and an idempotency key, is kept, in seconds",
  },
  GLASS_HISTORY: {
    schema: seconds,
    initial: 3_024_000,
    means: "How long the history of items and prices shown on each label is kept, in seconds",
  },
  SWEEP_EVERY: {
    schema: seconds,
    initial: 30,
    means: "Interval of the search for unpublished changes and waiting requests, in seconds",
  },
  AUDIT_EVERY: { schema: seconds, initial: 900, means: "Interval between two audits of every store, in seconds" },
  ACKNOWLEDGE_WITHIN: {
    schema: seconds,
    initial: 120,
    means: "After how many seconds a transmission without a report is sent again",
  },
  OFFLINE_AFTER: {
    schema: seconds,
    initial: 86_400,
    means: "After how many seconds without being heard from a label counts as OFFLINE",
  },
  DATA_DIR: { schema: text, initial: ".data", means: "Where the embedded databases of `npm start` keep their data" },
  SHELFWIRE_DATA: { schema: text, initial: "../shared/data", means: "Folder with real price lists, for benchmarks" },
  WEB_CONCURRENCY: {
    schema: count,
    initial: 1,
    means: "Number of processes that serve the API on its port; a platform may set it by machine size",
  },
  WORKER_PROCESSES: { schema: count, initial: 1, means: "Number of processes of each worker that `npm start` runs" },
  EMULATOR_PORT: {
    schema: port,
    optional: true,
    means: "Port of the emulated label server; PORT + 1 if absent",
  },
  EMULATOR_REPORTS_TO: { schema: url, optional: true, means: "Where the emulated label server sends its reports" },
  EMULATOR_FILE: { schema: text, optional: true, means: "Where the emulated labels keep their pictures between runs" },
  EMULATOR_AIR_TIME: {
    schema: Type.Integer({ minimum: 0 }),
    initial: 0,
    means: "Simulated transmission time of a picture, in milliseconds",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: url,
    optional: true,
    means: "Endpoint for traces (OTLP/HTTP, `/v1/traces` is appended); tracing is off if absent",
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: matching("^(0|1|0?\\.\\d{1,9}|1\\.0+)$", "must be a number from 0 to 1"),
    initial: "1",
    means: "Fraction of requests that is traced, from 0 to 1; a request that arrives with a trace decides for itself",
  },
  LOG_LEVEL: { schema: level, initial: "info", means: "Lowest level that is logged, as JSON lines" },
} as const satisfies Record<string, Setting>;

const isHostWithPort = (text: string): boolean => /^[\w.:[\]-]+$/.test(text) && URL.canParse(`redis://${text}`);

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern) !== undefined;
  } catch {
    return false;
  }
}
