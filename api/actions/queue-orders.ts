import type { EnqueueOrders, OrderCall } from "../../queues/orders/enqueue-orders.ts";
import { ProblemError } from "../http/problem-error.ts";

/** Enqueues orders for the flash queue. Throws `unavailable` if Redis does not accept them. */
export type QueueOrders = (...call: OrderCall) => Promise<void>;

/** Actions are not journaled, so a rejected call leaves nothing to retry. */
export function createQueueOrders(enqueueOrders: EnqueueOrders): QueueOrders {
  return async (...call) => {
    if (!(await enqueueOrders(...call))) throw notQueued();
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
