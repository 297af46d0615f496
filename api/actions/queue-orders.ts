import type { NewestOrders } from "../../queues/publish/newest-orders.ts";
import type { Publisher } from "../../queues/publish/publisher.ts";
import type { DisplayPageOrder, FlashOrder } from "../../schemas/jobs.ts";
import type { Urgency } from "../../schemas/topics.ts";
import { ProblemError } from "../http/problem-error.ts";

type Unnumbered<Order> = Omit<Order, "number">;

/** Queues what labels shall do now. */
export interface QueueOrders {
  (kind: "flash", orders: readonly Unnumbered<FlashOrder>[], place: Place): Promise<void>;
  (kind: "display-page", orders: readonly Unnumbered<DisplayPageOrder>[], place: Place): Promise<void>;
}

interface Place {
  urgency: Urgency;
  /** Whether it goes after single flashes of its urgency. */
  goesAfter?: boolean;
}

/**
 * All orders of a call are queued, or none: an action is of now, and stands in no journal. Only what is queued counts as
 * a label's newest, so that a call which is refused stops no earlier one.
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
  new ProblemError("unavailable", "Redis cannot take this now, and nothing was sent. Send the request again.", {
    headers: { "retry-after": "2" },
  });
