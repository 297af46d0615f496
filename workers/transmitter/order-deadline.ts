import type { LabelOrder } from "../../schemas/jobs.ts";

const MIN_SECONDS = 30;

/** How long an order makes sense, in seconds: as long as it would have lasted, and half a minute at least. */
export const goodFor = ({ body: { duration = 0 } }: Pick<LabelOrder, "body">): number =>
  Math.max(duration, MIN_SECONDS);

/** When an order is not carried out any more, in milliseconds since 1970; its number tells when it was asked for. */
export const deadlineOf = (order: Pick<LabelOrder, "body" | "number">): number =>
  order.number / 1000 + goodFor(order) * 1000;
