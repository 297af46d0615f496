/**
 * Returns the stalled jobs, from a queue's events, that started before the queue's process ended. A job that started later
 * ran in the test's own worker, which may lose a lock on a busy machine.
 */
export function stalledJobs(events: readonly [id: string, fields: string[]][], endedAt: number): string[] {
  const begun = new Map<string, number>();
  const stalled: string[] = [];
  for (const [id, fields] of events) {
    const field = (name: string) => fields[fields.indexOf(name) + 1] ?? "";
    const job = field("jobId");
    if (field("event") === "active") begun.set(job, Number.parseInt(id, 10));
    if (field("event") === "stalled" && (begun.get(job) ?? 0) <= endedAt) stalled.push(job);
  }
  return stalled;
}
