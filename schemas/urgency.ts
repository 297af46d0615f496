import { type Static, Type } from "typebox";

/**
 * The priority class of work. Requests of at most INTERACTIVE_ROWS rows are interactive, larger ones bulk. Every change carries
 * the urgency of its request, and every job gets its priority from that urgency
 * (docs/architecture/queues.md#requests-and-chunks).
 */
export const Urgency = Type.Enum(["interactive", "bulk"]);
export type Urgency = Static<typeof Urgency>;

/** Maximum number of rows of an interactive request; larger requests are bulk. */
export const INTERACTIVE_ROWS = 100;
