import type { Urgency } from "../../schemas/urgency.ts";

/** Every job has a priority: in BullMQ, a job without a priority overtakes all jobs that have one. */
export const priorityOf: Readonly<Record<Urgency, number>> = { interactive: 1, bulk: 10 };

/** Every priority that a job may have: for each urgency, one for its jobs and one for jobs that yield to them. */
export const priorities = Object.values(priorityOf).flatMap((priority) => [priority, priority + 1]);

/** The properties that determine a job's priority. */
export interface Ranked {
  urgency: Urgency;
  /** Lowers the priority below that of other jobs with the same urgency. */
  goesAfter?: true;
  /** Set for a bulk job that interactive work waits for: it gets the priority of interactive jobs. */
  isAwaited?: true;
}

/** Returns the priority of a job to add. */
export const priorityOfJob = ({ urgency, goesAfter, isAwaited }: Ranked): number =>
  priorityOf[isAwaited ? "interactive" : urgency] + (goesAfter ? 1 : 0);

/** Returns the urgency that a job's priority implies. */
export const urgencyOfJob = ({ priority }: { priority: number }): Urgency =>
  priority < priorityOf.bulk ? "interactive" : "bulk";
