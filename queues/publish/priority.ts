import type { Urgency } from "../../schemas/urgency.ts";

/** Every job has a priority: in BullMQ a job without one overtakes all jobs that have one. */
export const priorityOf: Readonly<Record<Urgency, number>> = { interactive: 1, bulk: 10 };

/** Every priority that a job may have: of each urgency, and of its jobs that go after the others. */
export const priorities = Object.values(priorityOf).flatMap((priority) => [priority, priority + 1]);

/** What decides about the priority of a job. */
export interface Ranked {
  urgency: Urgency;
  /** Lowers the priority below that of other jobs with the same urgency. */
  goesAfter?: true;
  /** Set for a bulk job that interactive work waits for: it gets the priority of interactive jobs. */
  isAwaited?: true;
}

/** The priority of a job that is added. */
export const priorityOfJob = ({ urgency, goesAfter, isAwaited }: Ranked): number =>
  priorityOf[isAwaited ? "interactive" : urgency] + (goesAfter ? 1 : 0);

/** The urgency of a job, by its priority. */
export const urgencyOfJob = ({ priority }: { priority: number }): Urgency =>
  priority < priorityOf.bulk ? "interactive" : "bulk";
