import type { ItemEvent, PriceSince } from "../../schemas/activity.ts";

/** What was sent about one item, and when it takes effect if that is later. */
export type PricedEvent = Pick<ItemEvent, "at" | "operation" | "price" | "failed"> & {
  /** ISO 8601 in UTC; absent if it takes effect at once. */
  dueAt?: string;
};

/**
 * The prices of an item, from its events in the order of time. A scheduled price takes effect with the request that applies what is
 * due, so a cancelled one must be gone by then; a row that failed changes nothing.
 */
export function priceLine(events: readonly PricedEvent[]): PriceSince[] {
  const line: PriceSince[] = [];
  let scheduled: PricedEvent[] = [];
  const enter = (since: string, price: string | null) => {
    if ((line.at(-1)?.price ?? null) !== price || (line.length === 0 && price !== null)) line.push({ since, price });
  };
  for (const event of events) {
    const { at, operation, price, failed, dueAt } = event;
    if (failed === "ERROR") continue;
    if (operation === "delete-items") {
      scheduled = [];
      enter(at, null);
    } else if (operation === "cancel-scheduled") scheduled = [];
    else if (operation === "apply-scheduled") {
      const due = scheduled.filter((update) => (update.dueAt ?? "") <= at).toSorted(byDue);
      scheduled = scheduled.filter((update) => !due.includes(update));
      const last = due.at(-1);
      if (last?.price) enter(at, last.price);
    } else if (price === null) continue;
    else if (dueAt !== undefined && dueAt > at) scheduled.push(event);
    else enter(at, price);
  }
  return line;
}

const byDue = (a: PricedEvent, b: PricedEvent): number => ((a.dueAt ?? "") < (b.dueAt ?? "") ? -1 : 1);
