import { type TSchema, Type } from "typebox";

export interface Setting {
  schema: TSchema;
  means: string;
  /** What a right value is, in words: behind "must be". */
  right?: string;
  /** Whether a value of the right form is one after all; absent, each is. */
  isRight?(value: string): boolean;
  initial?: string | number;
  /** May be absent, and then means something. */
  optional?: true;
  /** Its value is never shown. */
  secret?: true;
}

const text = Type.String({ minLength: 1 });
const url = Type.String({ pattern: "^https?://[^/]" });
const port = Type.Integer({ minimum: 1, maximum: 65_535 });
const count = Type.Integer({ minimum: 1, maximum: 1000 });
const seconds = Type.Integer({ minimum: 1 });
const rate = Type.Integer({ minimum: 0, maximum: 1_000_000 });
/** What MongoDB stores in databases of its own. */
const OWN_DATABASES: readonly string[] = ["admin", "config", "local"];
const level = Type.Enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]);

/** Every setting with its form, its meaning and its default. `.env.example` is generated from this table. */
export const settings = {
  NODE_ENV: {
    schema: text,
    initial: "development",
    means: "`production` on a platform: then nothing is installed or launched for you",
  },
  PORT: { schema: port, initial: 8080, means: "Port of the API" },
  LISTEN_HOST: {
    schema: text,
    optional: true,
    means: "Address that servers listen at; every address where it is absent, 127.0.0.1 with `npm start`",
  },
  REDIS_URL: {
    schema: Type.String({ pattern: "^rediss?://[^/?#]+(/\\d{0,5})?(\\?[^#]*)?$" }),
    right:
      "the address of a Redis, such as redis://127.0.0.1:6379, or rediss:// with TLS; only a number stands behind its /",
    isRight: (address) => URL.canParse(address),
    secret: true,
    means: "Queues and results: Redis >= 7 with noeviction; rediss:// with TLS",
  },
  REDIS_TLS: {
    schema: Type.Enum(["verified", "unverified"]),
    initial: "verified",
    means: "`unverified` takes any certificate, as a platform's own Redis with a self-signed one needs",
  },
  REDIS_MODE: {
    schema: Type.Enum(["single", "cluster"]),
    initial: "single",
    means: "`cluster` where REDIS_URL names a node of a Redis Cluster",
  },
  MONGODB_URL: {
    schema: Type.String({ pattern: "^mongodb(\\+srv)?://." }),
    right: "the address of a MongoDB, such as mongodb://127.0.0.1:27017 or mongodb+srv://example.com",
    secret: true,
    means: "Records: MongoDB >= 6",
  },
  MONGODB_DATABASE: {
    schema: Type.String({ pattern: '^[^/\\\\. "$*<>:|?]{1,63}$' }),
    right:
      "the name of a database: 1 to 63 characters without / \\ . $ * < > : | ? quotes and blanks, and not admin, config or " +
      "local, which are MongoDB's own",
    isRight: (name) => !OWN_DATABASES.includes(name) && Buffer.byteLength(name) <= 63,
    initial: "shelfwire",
    means: "Name of the database",
  },
  BASE_PATH: {
    schema: Type.String({ pattern: "^(/[\\w.~-]+)+$" }),
    optional: true,
    means: "The path under which a proxy serves the web process, such as /shelfwire; absent: the root of its origin",
  },
  BASE_DOMAIN: { schema: text, optional: true, means: "Serve each store at {storeId}.{tenantId}.BASE_DOMAIN as well" },
  JWT_SECRET: {
    schema: Type.String({ minLength: 32 }),
    optional: true,
    secret: true,
    means: "Shared secret of HS256 tokens; this or JWKS_URL",
  },
  JWT_SECRET_OTHER: {
    schema: Type.String({ minLength: 32 }),
    optional: true,
    secret: true,
    means: "A second secret of tokens that are good, while JWT_SECRET is replaced; nothing is signed with it",
  },
  JWKS_URL: { schema: url, optional: true, means: "Where the keys of the tokens' issuer are; wins over JWT_SECRET" },
  JWT_ISSUER: { schema: text, initial: "shelfwire", means: "Issuer that a token must name" },
  JWT_AUDIENCE: { schema: text, initial: "shelfwire", means: "Audience that a token must name" },
  TOKEN_LIFETIME: { schema: seconds, initial: 3_600, means: "How long a token of the login is good, in seconds" },
  BASIC_AUTH: {
    schema: Type.Enum(["on", "off"]),
    initial: "on",
    means: "Whether API users may send name and password with every call; never where JWKS_URL is set",
  },
  TRUSTED_PROXIES: {
    schema: Type.Integer({ minimum: 0, maximum: 10 }),
    initial: 0,
    means: "How many proxies before the API tell the caller's address truly (X-Forwarded-For)",
  },
  CORS_ORIGINS: {
    schema: Type.String({ pattern: "^(\\*|https?://[^\\s,/*]+( *, *https?://[^\\s,/*]+)*)$" }),
    optional: true,
    means: "Origins whose pages may call the API from a browser, comma-separated, or *; none where it is absent",
  },
  RATE_LIMIT: {
    schema: rate,
    initial: 100,
    means: "How many calls a second the subject of a token may make; 0: as many as it likes",
  },
  RATE_BURST: {
    schema: rate,
    initial: 300,
    means: "How many calls the subject of a token may make at once after a pause; at least RATE_LIMIT",
  },
  TENANT_RATE_LIMIT: {
    schema: rate,
    initial: 1_000,
    means: "How many calls a second all tokens of a tenant may make, and three times as many at once; 0: no limit",
  },
  ADDRESS_RATE_LIMIT: {
    schema: rate,
    initial: 50,
    means:
      "How many calls a second an address may make without a good token, and three times as many at once; 0: no limit",
  },
  METRICS_TOKEN: {
    schema: Type.String({ pattern: "^[\\x21-\\x7e]{16,}$" }),
    optional: true,
    secret: true,
    means: "Bearer token that reads /metrics, of all tenants; at least 16 characters; no /metrics where it is absent",
  },
  LABEL_SERVER_URL: { schema: url, means: "The label server that transmits the pictures" },
  LABEL_SERVER_SECRET: {
    schema: Type.String({ minLength: 16 }),
    secret: true,
    means: "Shared by Shelfwire and the label server, both ways",
  },
  LABEL_SERVER_SECRET_OTHER: {
    schema: Type.String({ minLength: 16 }),
    optional: true,
    secret: true,
    means: "A second secret that the label server may have, while LABEL_SERVER_SECRET is replaced",
  },
  LABEL_SERVER_CONCURRENCY: { schema: count, initial: 16, means: "Calls to the label server at once" },
  BARCODE_PATTERN: {
    schema: text,
    right: 'a regular expression with a part named "type", such as (?<type>[0-9]{4}), whose digits are the label type',
    isRight: (pattern) => pattern.includes("(?<type>") && isExpression(pattern),
    initial: "^[A-Z]4[0-9A-Z]{10}(?<type>[0-9]{4})[0-9]$",
    means: "Regular expression of a label's barcode, with a group `type`",
  },
  PUSH_PORT: {
    schema: Type.Integer({ minimum: 0, maximum: 65_535 }),
    optional: true,
    means: "Port at which the renderer takes changes by POST /push/{topic}; none where it is absent",
  },
  PUSH_SECRET: {
    schema: Type.String({ pattern: "^whsec_[A-Za-z0-9+/]{32,}={0,2}$" }),
    optional: true,
    secret: true,
    means: "The secret of the subscription that pushes to the renderer: its calls are signed with it",
  },
  WEBHOOKS_PRIVATE: {
    schema: Type.String({ pattern: "^\\s*[^\\s,]+:(\\*|\\d{1,5})(\\s*,\\s*[^\\s,]+:(\\*|\\d{1,5}))*\\s*$" }),
    optional: true,
    means:
      "Private receivers that subscriptions may name: host:port, comma-separated; a host is a name, an address or a network such as 10.1.0.0/16 or [fd00::/8], the port * is every port; none where it is absent",
  },
  RESULT_TTL: { schema: seconds, initial: 86_400, means: "How long a request's result can be asked for, in seconds" },
  GLASS_HISTORY: {
    schema: seconds,
    initial: 3_024_000,
    means: "How long it is kept which item and price each label showed, in seconds",
  },
  SWEEP_EVERY: {
    schema: seconds,
    initial: 30,
    means: "How often unpublished changes and waiting requests are looked for, in seconds",
  },
  AUDIT_EVERY: { schema: seconds, initial: 900, means: "How often every store is audited, in seconds" },
  ACKNOWLEDGE_WITHIN: {
    schema: seconds,
    initial: 120,
    means: "When a transmission without a report is sent again, in seconds",
  },
  OFFLINE_AFTER: {
    schema: seconds,
    initial: 86_400,
    means: "When a label that was not heard counts as OFFLINE, in seconds",
  },
  DATA_DIR: { schema: text, initial: ".data", means: "Where the embedded default keeps everything" },
  SHELFWIRE_DATA: { schema: text, initial: "../shared/data", means: "Folder of the real price lists, for benchmarks" },
  WEB_CONCURRENCY: {
    schema: count,
    initial: 1,
    means: "How many processes serve the API at its port; a platform may set it by the size of its machine",
  },
  WORKER_PROCESSES: { schema: count, initial: 1, means: "How many processes of each worker `npm start` runs" },
  EMULATOR_PORT: {
    schema: port,
    optional: true,
    means: "Port of the emulated label server; PORT + 1 where it is absent",
  },
  EMULATOR_REPORTS_TO: { schema: url, optional: true, means: "Where the emulated label server reports" },
  EMULATOR_FILE: { schema: text, optional: true, means: "Where the emulated labels keep what they show between runs" },
  EMULATOR_AIR_TIME: {
    schema: Type.Integer({ minimum: 0 }),
    initial: 0,
    means: "How long a picture is in the emulated air, in milliseconds",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: url,
    optional: true,
    means: "Where traces are sent (OTLP/HTTP, `/v1/traces` is added); nothing is traced where it is absent",
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: Type.String({ pattern: "^(0|1|0?\\.\\d{1,9}|1\\.0+)$" }),
    initial: "1",
    means: "Which part of the calls is traced, from 0 to 1; a call that comes with a trace says so itself",
  },
  LOG_LEVEL: { schema: level, initial: "info", means: "What is logged, as JSON lines" },
} as const satisfies Record<string, Setting>;

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern) !== undefined;
  } catch {
    return false;
  }
}
