import type { NewestOrders } from "../../queues/publish/newest-orders.ts";
import type { Publisher } from "../../queues/publish/publisher.ts";
import type { DisplayPageOrder, FlashOrder } from "../../schemas/jobs.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import { ProblemError } from "../http/problem-error.ts";

type Unnumbered<Order> = Omit<Order, "number">;

/** Enqueues orders for the flash queue. Throws `unavailable` if Redis does not take them. */
export interface QueueOrders {
  (kind: "flash", orders: readonly Unnumbered<FlashOrder>[], options: OrderOptions): Promise<void>;
  (kind: "display-page", orders: readonly Unnumbered<DisplayPageOrder>[], options: OrderOptions): Promise<void>;
}

interface OrderOptions {
  urgency: Urgency;
  /** Whether the orders go after single flashes of the same urgency. */
  goesAfter?: boolean;
}

/**
 * Enqueues all orders of a call or none: actions are not journaled, so a rejected call leaves nothing to retry. A
 * label's newest number is recorded after enqueuing, so that a rejected call does not discard an earlier order that is
 * still waiting.
 */
export function createQueueOrders(publisher: Publisher, newestOrders: NewestOrders): QueueOrders {
  return async (kind, orders, { urgency, goesAfter = false }) => {
    if (orders.length === 0) return;
    const number = publisher.isReady() ? await newestOrders.draw().catch(() => undefined) : undefined;
    if (number === undefined) throw notQueued();
    const numbered = orders.map((order) => ({ ...order, number }));
    const jobs = numbered.map((data) => ({ name: kind, data, urgency, ...(goesAfter && { goesAfter }) }));
    if (!(await publisher.enqueue("flash", jobs))) throw notQueued();
    await newestOrders.note(kind, numbered);
  };
}

const notQueued = () =>
  new ProblemError(
    "unavailable",
    "Redis cannot accept the order at the moment. Nothing was sent; send the request again.",
    {
      headers: { "retry-after": "2" },
    },
  );
