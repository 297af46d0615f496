import type { ItemEvent, PriceSince } from "../../schemas/activity.ts";

/** What a request sent about one item, and when it takes effect if not immediately. */
export type PricedEvent = Pick<ItemEvent, "at" | "operation" | "price" | "failed" | "campaign" | "ends"> & {
  /** ISO 8601 in UTC. Absent if it takes effect immediately. */
  dueAt?: string;
  /** The number of the event's request. A held request that is approved does not change what a later request has set. */
  requestId?: number | null;
};

/**
 * Returns an item's prices from its events, which are in chronological order. A scheduled price takes effect with the request
 * that applies due changes, so a cancelled price must be removed before that request. A row that failed or is held changes
 * nothing. While campaigns run, the campaign that began last sets the price.
 */
export function priceLine(events: readonly PricedEvent[]): PriceSince[] {
  const line: PriceSince[] = [];
  let scheduled: PricedEvent[] = [];
  let regular: string | null = null;
  /** The newest request that set or deleted the regular price. */
  let newest = 0;
  let running: PricedEvent[] = [];

  function apply(event: PricedEvent): void {
    const { campaign, ends, price } = event;
    if (campaign === undefined) regular = price ?? regular;
    else {
      running = running.filter((one) => one.campaign !== campaign);
      if (!ends) running.push(event);
    }
  }

  function enter(since: string): void {
    const price = running.at(-1)?.price ?? regular;
    if ((line.at(-1)?.price ?? null) !== price || (line.length === 0 && price !== null)) line.push({ since, price });
  }

  for (const event of events) {
    const { at, operation, price, failed, dueAt, campaign, ends } = event;
    const number = event.requestId ?? newest;
    if (failed === "ERROR" || failed === "HELD") continue;
    if (operation === "delete-items") {
      scheduled = [];
      running = [];
      regular = null;
      newest = number;
      enter(at);
    } else if (operation === "cancel-scheduled") scheduled = scheduled.filter((update) => update.ends);
    else if (operation === "apply-scheduled") {
      const due = scheduled.filter((update) => (update.dueAt ?? "") <= at).toSorted(byDue);
      scheduled = scheduled.filter((update) => !due.includes(update));
      for (const update of due) apply(update);
      enter(at);
    } else if (price === null && campaign === undefined) continue;
    else if (dueAt !== undefined && dueAt > at) scheduled.push(event);
    else if (campaign !== undefined || number >= newest) {
      if (campaign === undefined) newest = number;
      if (ends) scheduled = scheduled.filter((update) => update.campaign !== campaign);
      apply(event);
      enter(at);
    }
  }
  return line;
}

const byDue = (a: PricedEvent, b: PricedEvent): number => ((a.dueAt ?? "") < (b.dueAt ?? "") ? -1 : 1);
