import type { LabelOrder } from "../../schemas/jobs.ts";

/** How long an order may wait to be sent even if its effect is shorter, in seconds. */
export const orderBounds = { minSeconds: 30 };

/**
 * Returns how many seconds an order may wait to be sent: as long as its effect would have lasted, but at least
 * `orderBounds.minSeconds`.
 */
export const goodFor = ({ body: { duration = 0 } }: Pick<LabelOrder, "body">): number =>
  Math.max(duration, orderBounds.minSeconds);

/**
 * Returns the time, in epoch milliseconds, after which an order is dropped. An order's number contains the time of its request
 * in microseconds.
 */
export const deadlineOf = (order: Pick<LabelOrder, "body" | "number">): number =>
  order.number / 1000 + goodFor(order) * 1000;
