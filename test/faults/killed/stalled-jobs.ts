/**
 * Returns, from a queue's events, the jobs that an ended process left behind: they started before it ended and stalled
 * afterwards. A job that started later ran in the test's own worker, which may lose a lock on a busy machine.
 */
export function stalledJobs(events: readonly [id: string, fields: string[]][], endedAt: number): string[] {
  const begun = new Map<string, number>();
  const stalled: string[] = [];
  for (const [id, fields] of events) {
    const field = (name: string) => fields[fields.indexOf(name) + 1] ?? "";
    const job = field("jobId");
    const at = Number.parseInt(id, 10);
    if (field("event") === "active") begun.set(job, at);
    // A process that has not ended loses a lock only if it was blocked, and then takes up the job again itself.
    if (field("event") === "stalled" && at > endedAt && (begun.get(job) ?? 0) <= endedAt) stalled.push(job);
  }
  return stalled;
}
