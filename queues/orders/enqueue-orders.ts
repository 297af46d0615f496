import type { DisplayPageOrder, FlashOrder } from "../../schemas/jobs.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { Publisher } from "../publish/publisher.ts";
import type { NewestOrders } from "./newest-orders.ts";

type Unnumbered<Order> = Omit<Order, "number">;
export type FlashToQueue = Unnumbered<FlashOrder>;

interface OrderOptions {
  urgency: Urgency;
  /** Whether the orders come after single flashes of the same urgency. */
  goesAfter?: boolean;
}

/** Orders of one kind, and how they are enqueued. */
export type OrderCall =
  | [kind: "flash", orders: readonly FlashToQueue[], options: OrderOptions]
  | [kind: "display-page", orders: readonly Unnumbered<DisplayPageOrder>[], options: OrderOptions];

/** Enqueues all orders or none; false if Redis does not accept them. */
export type EnqueueOrders = (...call: OrderCall) => Promise<boolean>;

/**
 * Enqueues orders under one number. A label's newest number is recorded after enqueuing, so that orders that Redis rejected do
 * not invalidate an earlier order that is still waiting.
 */
export function createEnqueueOrders(
  publisher: Pick<Publisher, "isReady" | "enqueue">,
  newestOrders: Pick<NewestOrders, "draw" | "note">,
): EnqueueOrders {
  return async (kind, orders, { urgency, goesAfter = false }) => {
    if (orders.length === 0) return true;
    const number = publisher.isReady() ? await newestOrders.draw().catch(() => undefined) : undefined;
    if (number === undefined) return false;
    const numbered = orders.map((order) => ({ ...order, number }));
    const jobs = numbered.map((data) => ({ name: kind, data, urgency, ...(goesAfter && { goesAfter }) }));
    if (!(await publisher.enqueue("flash", jobs))) return false;
    await newestOrders.note(kind, numbered);
    return true;
  };
}
