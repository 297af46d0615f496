/** Conditions that several alerts use, so that one cause fires one alert. */
export const conditions = {
  "shelfwire:redis_full:ratio": "shelfwire_redis_memory_used_bytes / (shelfwire_redis_memory_max_bytes > 0) > 0.7",
  "shelfwire:queue_stalled:seconds": `
    max by (stage) (shelfwire_oldest_waiting_seconds{stage=~"item|pages|link|evaluator|renderer|merger|transmitter|flash"}) > 90
    unless on (stage) sum by (stage) (label_replace(increase(shelfwire_jobs_completed_total[2m]), "stage", "$1", "queue", "(.+)")) > 0
    unless on () shelfwire:redis_full:ratio`,
  "shelfwire:label_server_unanswered:calls": `
    sum(increase(shelfwire_label_server_answers_total{answer="none"}[2m])) > 0
    unless sum(increase(shelfwire_label_server_answers_total{answer!="none"}[2m])) > 0
    and on () max(shelfwire_label_servers_away) >= max(shelfwire_label_servers)`,
} as const;

export const unlessRedis = "unless on () shelfwire:redis_full:ratio unless on () shelfwire_redis_up == 0";
export const unlessStalled = "unless on () max(shelfwire:queue_stalled:seconds)";
