import type { JobsOptions } from "bullmq";

/** BullMQ's retries of a whole job, for errors that no key has caused. A key that fails individually has a failure record. */
export const jobRetries = {
  attempts: 5,
  backoff: { type: "exponential", delay: 500, jitter: 0.5 },
} as const satisfies JobsOptions;

/** How many ended jobs a queue keeps for the dashboard, and how long it keeps failed jobs, in seconds. */
export const endedJobs = {
  removeOnComplete: { count: 100 },
  removeOnFail: { count: 1_000, age: 7 * 86_400 },
};
