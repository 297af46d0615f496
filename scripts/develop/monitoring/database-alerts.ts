/** What an alert tells an operator. Prometheus's rules and the runbook are made of these. */
export interface Alert {
  name: string;
  /** PromQL; `for`: how long it must hold. */
  expression: string;
  for: string;
  severity: "critical" | "warning";
  /** What is wrong, in a line. */
  summary: string;
  /** Why that is worth an alert: what a shop would notice, and when. */
  reason: string;
  /** What to do, in this order. */
  steps: readonly string[];
}

/** The alerts of MongoDB and Redis. */
export const databaseAlerts: readonly Alert[] = [
  {
    name: "ShelfwireMongoDBAway",
    expression: "shelfwire_mongodb_up == 0",
    for: "1m",
    severity: "critical",
    summary: "MongoDB cannot be reached",
    reason: "Calls are answered 503 and callers must repeat them; no price changes. Nothing that was accepted is lost.",
    steps: [
      "Look at the database's own status: a failover is over within seconds, this has lasted for a minute.",
      "Compare `MONGODB_URL` and the network's rules with what the log of `web` says (`the database is unavailable`).",
      "Nothing needs a restart once it is back. After a restore from a backup follow [A restore of MongoDB](back-up.md#a-restore-of-mongodb).",
    ],
  },
  {
    name: "ShelfwireRedisAway",
    expression: "shelfwire_redis_up == 0",
    for: "1m",
    severity: "critical",
    summary: "Redis cannot be reached",
    reason: "Writes are taken and wait in MongoDB: prices stop changing on the shelves. Flashes are refused.",
    steps: [
      "Look at Redis's own status, `REDIS_URL` and the number of connections that its plan allows.",
      "Nothing needs a restart once it is back, also where it comes back empty: what waited is enqueued, and audits begin.",
    ],
  },
  {
    name: "ShelfwireRedisFull",
    expression: "shelfwire:redis_full:ratio",
    for: "1m",
    severity: "critical",
    summary: "Redis uses more than 70 % of its memory",
    reason:
      "Above 70 % bulk work stays in MongoDB; at 100 % Redis refuses writes, and no price reaches a shelf until it has room.",
    steps: [
      "`redis-cli --bigkeys`: keys of other programs do not belong here. Shelfwire's need some 100 MB, however much waits (`npm run bench -- capacity`).",
      "Look at `shelfwire_queue_jobs`: many failed jobs of one queue have a reason in the log (`a job failed`).",
      "Raise `maxmemory`, or take a larger plan. Where neither helps at once, `FLUSHALL` loses no accepted work: it is enqueued again from MongoDB, and audits begin.",
    ],
  },
];
