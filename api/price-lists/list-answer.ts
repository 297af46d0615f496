import { jumpsOf } from "../../domain/price-lists/jumps.ts";
import type { RequestResult } from "../../queues/requests/results.ts";
import { idOf } from "../../schemas/keys.ts";
import {
  type ListedItem,
  MAX_JUMPS,
  type PriceList,
  type PriceListAnswer,
  type PriceListState,
  type PriceListSummary,
} from "../../schemas/price-list.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Outcome } from "../../schemas/request.ts";
import { createDateText } from "../http/date-text.ts";
import type { ListReads } from "./list-reads.ts";

export interface ListAnswerWorld extends ListReads {
  now(): Date;
  /** Returns a number up to which all requests of the store have been applied. */
  settledThrough(store: string): Promise<number>;
  readResult(store: string, number: number): Promise<RequestResult | undefined>;
}

/**
 * Summarises a price list for a list of price lists. `settled` is a number up to which all requests of its store have been
 * applied.
 */
export function summaryOf(
  { _id, since, sentBy, startsAt, requests, undo }: Stored<PriceList>,
  { timeZone, settled, now }: { timeZone: string; settled: number; now: Date },
): PriceListSummary {
  const dateText = createDateText(timeZone, true);
  const isApplied = (numbers: readonly number[]) => numbers.every((number) => number <= settled);
  const state = (): PriceListState => {
    // A request that was accepted while the list was being undone has changed items after the undo.
    if (undo && Math.max(...requests) < Math.max(...undo.requests))
      return isApplied(undo.requests) ? "UNDONE" : "UNDOING";
    if (!isApplied(requests)) return "APPLYING";
    return startsAt !== undefined && startsAt > now ? "SCHEDULED" : "APPLIED";
  };
  return {
    listId: idOf(_id),
    state: state(),
    sentAt: dateText(since),
    sentBy: sentBy ?? null,
    startsAt: startsAt === undefined ? null : dateText(startsAt),
    requestIds: requests,
    undo: undo ? { at: dateText(undo.at), by: undo.by ?? null, requestIds: undo.requests } : null,
  };
}

const isGood = ({ status }: Outcome): boolean => status.startsWith("SUCCESS");

/** Yields the outcomes of a list's requests, for as long as they are kept, each with its request. */
export async function* outcomesOf(
  { readResult }: Pick<ListAnswerWorld, "readResult">,
  store: string,
  requests: readonly number[],
): AsyncGenerator<{ number: number; outcomes: Outcome[] }> {
  for (const number of requests) yield { number, outcomes: (await readResult(store, number))?.outcomes ?? [] };
}

/** Returns a price list with its progress and its largest jumps. */
export async function listAnswer(
  world: ListAnswerWorld,
  store: string,
  timeZone: string,
  list: Stored<PriceList>,
): Promise<PriceListAnswer> {
  const listed: ListedItem[] = await world.readListedItems(store, idOf(list._id));
  const settled = await world.settledThrough(store);
  const rows = { sent: 0, applied: 0, failed: 0 };
  for await (const { outcomes } of outcomesOf(world, store, list.requests)) {
    const applied = outcomes.filter(({ status }) => status !== "PENDING");
    rows.sent += outcomes.length;
    rows.applied += applied.length;
    rows.failed += applied.filter((outcome) => !isGood(outcome)).length;
  }
  const { late: _, ...labels } = await world.readLabelProgress(store, listed);
  const jumps = jumpsOf(listed).slice(0, MAX_JUMPS);
  const names = await world.readItemNames(
    store,
    jumps.map(({ itemId }) => itemId),
  );
  return {
    ...summaryOf(list, { timeZone, settled, now: world.now() }),
    rows,
    items: listed.length,
    labels,
    jumps: jumps.map((jump) => ({ ...jump, itemName: names.get(jump.itemId) ?? null })),
  };
}
