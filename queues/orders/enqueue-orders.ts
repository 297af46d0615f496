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
  /** The orders' number, if the caller has already reserved one. */
  number?: number;
}

/** Orders of one kind, and how they are enqueued. */
export type OrderCall =
  | [kind: "flash", orders: readonly FlashToQueue[], options: OrderOptions]
  | [kind: "display-page", orders: readonly Unnumbered<DisplayPageOrder>[], options: OrderOptions];

/** Reserves a number for orders; undefined if Redis is unreachable. */
export type DrawNumber = () => Promise<number | undefined>;

export const createDrawNumber =
  (publisher: Pick<Publisher, "isReady">, newestOrders: Pick<NewestOrders, "draw">): DrawNumber =>
  async () =>
    publisher.isReady() ? newestOrders.draw().catch(() => undefined) : undefined;

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
  const draw = createDrawNumber(publisher, newestOrders);
  return async (kind, orders, { urgency, goesAfter = false, number: drawn }) => {
    if (orders.length === 0) return true;
    const number = drawn ?? (await draw());
    if (number === undefined) return false;
    const numbered = orders.map((order) => ({ ...order, number }));
    const jobs = numbered.map((data) => ({ name: kind, data, urgency, ...(goesAfter && { goesAfter }) }));
    if (!(await publisher.enqueue("flash", jobs))) return false;
    await newestOrders.note(kind, numbered);
    return true;
  };
}
