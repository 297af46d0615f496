import type { AskedPage } from "./browser.ts";
import type { Installation } from "./installation.ts";

/** A command, and how it must end. */
interface AskedCommand {
  command: string;
  args?: readonly string[];
  more?: Record<string, string>;
  /** The expected exit code. */
  ends: number;
  says: readonly RegExp[];
}

export type Asked = AskedCommand | AskedPage;

const metrics = { authorization: `Bearer ${"hush".repeat(4)}` };
const isPage = /^text\/html/;

/** Every page that docs/operations/pages.md names, with its promised contents. */
export const healthy: readonly Asked[] = [
  { path: "/login", ends: 200, says: [/name="password"/] },
  { path: "/", by: "operator", ends: 200, says: [/logged in as the operator/] },
  { path: "/stores", by: "operator", ends: 200, says: [/Co-op/, /Corner shops/] },
  { path: "/stores?tenant=corner", by: "operator", ends: 200, says: [/First street/, /till-7/] },
  { path: "/dashboard", by: "operator", ends: 200, says: [/<title>Shelfwire/] },
  { path: "/dashboard/api/queues", by: "operator", ends: 200, says: [/"renderer"/, /"transmitter"/] },
  { path: "/", by: "office", ends: 200, says: [/First street/] },
  { path: "/stores", by: "office", ends: 200, says: [/First street/] },
  { path: "/", by: "shop", ends: 200, says: [/first/] },
  { path: "/shelf", by: "shop", ends: 200, says: [isPage] },
  { path: "/aisle", by: "shop", ends: 200, says: [isPage] },
  { path: "/items/1", by: "shop", ends: 200, says: [/Milk/] },
  { path: "/import", by: "shop", ends: 200, says: [isPage] },
  { path: "/healthz", ends: 200, says: [/"ok"/] },
  { path: "/readyz", ends: 200, says: [/"status":"ready","mongodb":"ready","redis":"ready"/] },
  { path: "/metrics", headers: metrics, ends: 200, says: [/process="web"/] },
  { path: "/metrics?all", headers: metrics, ends: 200, says: [/shelfwire_queue_jobs/, /shelfwire_mongodb_up 1/] },
];

/**
 * A command that says why it is waiting, and succeeds once the cause is gone. A process without `after` is ended by SIGTERM.
 */
export interface Lasting {
  outlasts: readonly [entry: string, ...args: string[]];
  says: RegExp;
  after?: RegExp;
}

interface Situation {
  title: string;
  fail: keyof Installation["failures"];
  /** Expected log lines of the web process and of workers. */
  log: readonly RegExp[];
  asked: readonly Asked[];
  /** They start one after another. The one that gives up soonest is the last. */
  lasting?: readonly Lasting[];
}

const HOST = "127\\.0\\.0\\.1:\\d+";
const mongoAway = new RegExp(
  `MONGODB_URL: MongoDB at ${HOST} cannot be reached: .+\\. Start it, or correct MONGODB_URL`,
);
const mongoFull = new RegExp(
  `MONGODB_URL: MongoDB at ${HOST} is full: .+\\. Give it more storage, or use a larger plan`,
);
const redisAway = new RegExp(`REDIS_URL: Redis at ${HOST} cannot be reached: .+\\. Start it, or correct REDIS_URL`);
const redisFull = new RegExp(`REDIS_URL: Redis at ${HOST} is full: .+ Give it more memory`);
const noHost = (what: string, setting: string) =>
  new RegExp(
    `${setting}: ${what} at no-such-host.invalid cannot be reached: .*(ENOTFOUND|EAI_AGAIN).*correct ${setting}`,
  );
/** A page describes the current moment, in which the driver may be about to retry. */
const noMongoYet =
  /MONGODB_URL: MongoDB at no-such-host\.invalid cannot be reached: .+\. Start it, or correct MONGODB_URL/;
const [noMongo, noRedis] = [noHost("MongoDB", "MONGODB_URL"), noHost("Redis", "REDIS_URL")];
const noTenants = /correct MONGODB_DATABASE, which is ["“]test-misnamed/;
/** Calls by an API client or a page's script. */
const patch = { path: "/t/corner/s/first/api/public/core/v1/items", by: "shop", method: "PATCH" } as const;
const body = [{ itemId: "1", price: "2.00" }];
const list = ["list.csv", "--mapping", "mapping.json", "--tenant", "corner", "--store", "first", "--no-links"];
const user = (name: string) => ["add", name, "--tenant", "corner", "--stores", "first", "--scope", "items:read"];

/** Situations, each with its requests and the expected messages. */
export const situations: readonly Situation[] = [
  {
    title: "MongoDB is unreachable",
    fail: "mongoAway",
    log: [mongoAway, /"worker":.*the database is unavailable|the sweep will be retried/],
    lasting: [{ outlasts: ["scripts/operate/release.ts"], says: mongoAway, after: /nothing had to be changed/ }],
    asked: [
      { command: "admin", args: ["apply", "docs/installation.json"], ends: 1, says: [mongoAway] },
      { command: "api-user", args: user("till-8"), ends: 1, says: [mongoAway] },
      { path: "/stores", by: "operator", ends: 503, says: [isPage, /cannot reach its database/, mongoAway] },
      { path: "/", by: "office", ends: 503, says: [isPage, /cannot reach its database/, /the setting is MONGODB_URL/] },
      { path: "/", by: "shop", language: "de", ends: 503, says: [isPage, /erreicht seine Datenbank gerade nicht/] },
      { path: "/items/1", by: "shop", language: "hr", ends: 503, says: [isPage, /ne može doći do svoje baze/] },
      { ...patch, body, ends: 503, says: [/The database cannot be reached\. Nothing was changed; send/] },
      { path: "/healthz", ends: 200, says: [/"ok"/] },
      { path: "/readyz", ends: 503, says: [/"status":"not ready","mongodb":"away"/] },
      { path: "/dashboard/api/queues", by: "operator", ends: 200, says: [/"renderer"/] },
    ],
  },
  {
    title: "MongoDB is full",
    fail: "mongoFull",
    log: [mongoFull],
    lasting: [
      { outlasts: ["workers/item/process.ts"], says: mongoFull },
      {
        outlasts: ["scripts/operate/import.ts", ...list],
        says: /sending the call again: 503 The database is full and stores nothing until its operator provides more space/,
        after: /^1 rows in .*: 1 stored/m,
      },
    ],
    asked: [
      { command: "release", more: { MONGODB_DATABASE: "test-full" }, ends: 1, says: [mongoFull] },
      { command: "admin", args: ["apply", "scripts/demo/installation.json"], ends: 1, says: [mongoFull] },
      { command: "api-user", args: user("till-9"), ends: 1, says: [mongoFull] },
      { command: "api-user", args: ["revoke", "till-7"], ends: 1, says: [mongoFull] },
      { command: "audit", args: ["--tenant", "corner", "--store", "first"], ends: 1, says: [mongoFull] },
      { path: "/login", logsIn: true, by: "office", ends: 303, says: [] },
      { path: "/", by: "office", ends: 200, says: [/First street/] },
      {
        ...patch,
        body,
        ends: 503,
        says: [/The database is full and stores nothing until its operator provides more space/],
      },
    ],
  },
  {
    title: "Redis is unreachable",
    fail: "redisAway",
    log: [redisAway],
    asked: [
      { command: "admin", args: ["apply", "docs/installation.json"], ends: 1, says: [redisAway] },
      {
        path: "/",
        by: "operator",
        ends: 503,
        says: [isPage, /cannot check logins right now/, /the setting is REDIS_URL/],
      },
      {
        path: "/dashboard",
        by: "operator",
        language: "de",
        ends: 503,
        says: [isPage, /kann gerade nicht prüfen, wer angemeldet ist/],
      },
      { path: "/items/1", by: "shop", language: "hr", ends: 503, says: [isPage, /ne može provjeriti prijave/] },
      {
        ...{ path: "/login", logsIn: true, by: "office", ends: 503 },
        says: [isPage, /cannot check logins right now/, /the setting is REDIS_URL/],
      },
      { path: "/healthz", ends: 200, says: [/"ok"/] },
      { path: "/readyz", ends: 200, says: [/"redis":"unavailable: work is delayed"/] },
    ],
  },
  {
    title: "Redis is full",
    fail: "redisFull",
    log: [redisFull],
    asked: [
      { command: "admin", args: ["apply", "docs/installation.json"], ends: 0, says: [/is full/] },
      { path: "/stores", by: "operator", ends: 200, says: [/Corner shops/] },
      { ...patch, body, ends: 202, says: [/"requestId"/] },
      {
        ...{ path: "/login", logsIn: true, by: "office", ends: 503 },
        says: [isPage, /Part of Shelfwire is full/, /the setting is REDIS_URL/],
      },
    ],
  },
  {
    title: "the MongoDB host does not exist",
    fail: "mongoMisnamed",
    log: [noMongo],
    asked: [
      { command: "admin", args: ["tenant", "list"], ends: 1, says: [noMongo] },
      { path: "/stores", by: "operator", ends: 503, says: [isPage, /cannot reach its database/, noMongoYet] },
      { path: "/", by: "shop", ends: 503, says: [isPage, /cannot reach its database/, /the setting is MONGODB_URL/] },
      { path: "/metrics?all", headers: metrics, ends: 200, says: [/shelfwire_mongodb_up 0/] },
      { path: "/readyz", ends: 503, says: [/"status":"not ready","mongodb":"away"/] },
    ],
  },
  {
    title: "the Redis host does not exist",
    fail: "redisMisnamed",
    log: [noRedis],
    asked: [
      { command: "admin", args: ["tenant", "list"], ends: 1, says: [noRedis] },
      {
        path: "/stores",
        by: "operator",
        ends: 503,
        says: [isPage, /cannot check logins right now/, /the setting is REDIS_URL/],
      },
      { path: "/metrics?all", headers: metrics, ends: 200, says: [/shelfwire_redis_up 0/] },
      { path: "/readyz", ends: 200, says: [/"redis":"unavailable: work is delayed"/] },
    ],
  },
  {
    title: "the database name is wrong",
    fail: "databaseMisnamed",
    log: [],
    asked: [
      {
        command: "api-user",
        args: user("till-8"),
        ends: 1,
        says: [/tenant "corner" does not exist, nor does any other/, noTenants],
      },
      { command: "audit", args: ["--tenant", "corner"], ends: 1, says: [noTenants] },
      { path: "/stores", by: "operator", ends: 200, says: [/No retailer has been set up/, noTenants] },
      { path: "/", by: "office", ends: 404, says: [isPage] },
    ],
  },
];
