/** An alert for an operator. Prometheus's rules and the runbook are generated from these. */
export interface Alert {
  name: string;
  /** A PromQL expression, and how long it must hold. */
  expression: string;
  for: string;
  severity: "critical" | "warning";
  /** The fault in one line. */
  summary: string;
  /** Why the alert matters: what a shop would notice, and when. */
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
    reason: "Requests receive 503 and callers must repeat them; no price changes. Nothing that was accepted is lost.",
    steps: [
      "Check the database's own status: a failover takes seconds, and this has lasted for a minute.",
      "Compare `MONGODB_URL` and the network's rules with the error in the log of `web` (`the database is unavailable`).",
      "No restart is needed once it is back. After a restore from a backup follow [A restore of MongoDB](back-up-and-restore.md#a-restore-of-mongodb).",
    ],
  },
  {
    name: "ShelfwireRedisAway",
    expression: "shelfwire_redis_up == 0",
    for: "1m",
    severity: "critical",
    summary: "Redis cannot be reached",
    reason: "Writes are accepted and wait in MongoDB: prices on the shelves stop changing. Flashes are rejected.",
    steps: [
      "Check the status of Redis itself, `REDIS_URL`, and the number of connections that its plan allows.",
      "No restart is needed once Redis is available again, even if it has lost its data: waiting work is enqueued again, and audits begin.",
    ],
  },
  {
    name: "ShelfwireRedisFull",
    expression: "shelfwire:redis_full:ratio",
    for: "1m",
    severity: "critical",
    summary: "Redis uses more than 70% of its memory",
    reason:
      "Above 70%, bulk work stays in MongoDB; at 100%, Redis rejects writes, and no price reaches a shelf until memory is free.",
    steps: [
      "`redis-cli --bigkeys`: keys of other programs do not belong here. Shelfwire needs about 100 MB, however much work is waiting (`npm run bench -- capacity`).",
      "Check `shelfwire_queue_jobs`: if a queue has many failed jobs, the log contains the reason (`a job failed`).",
      "Increase `maxmemory`, or use a larger plan. If neither is possible quickly, `FLUSHALL` loses no accepted work: it is enqueued again from MongoDB, and audits begin.",
    ],
  },
];
