import { setTimeout } from "node:timers/promises";
import type { ItemPatch } from "../../../schemas/item.ts";
import type { Outcome, RequestStatus } from "../../../schemas/request.ts";
import type { Client } from "../../client.ts";
import { labelRowsFor } from "../../operate/import/label-rows.ts";

/** Type of the labels. */
export const LABEL_TYPE = 1328;
const POLL_INTERVAL_MS = 500;

interface Options {
  client: Client;
  rows: readonly ItemPatch[];
  /** Whether all faults have happened. Until then, more price lists are sent. */
  isOver(): boolean;
  /**
   * Returns how many times MongoDB was restored to an earlier point in time. After each, the last list and its links are sent
   * again.
   */
  undone(): number;
  log(what: string): void;
}

/** What was sent while faults occurred. */
export interface Sent {
  rounds: number;
  /** The rows of the last list. */
  expected: ItemPatch[];
  /** Waits for the outcomes of all requests that were not undone. Returns the rows that failed. */
  findFailed(): Promise<string[]>;
}

/** Sends a price list with links, and then again with other prices while faults occur. */
export async function sendUnderFaults({ client, rows, isOver, undone, log }: Options): Promise<Sent> {
  const itemIds = rows.map(({ itemId }) => itemId);
  let requests: number[] = [];
  let sentAfter = -1;
  let rounds = 0;
  /** Returns the outcomes of a request; none if it was undone, or if it is not complete when the faults are over. */
  const outcomesOf = async (read: ReadResult, requestId: number, mustEnd: boolean): Promise<Outcome[]> => {
    for (;;) {
      if (undone() !== sentAfter || (!mustEnd && isOver())) return [];
      const result = await read(requestId).catch((error: Error) => {
        if (undone() === sentAfter) throw error;
      });
      if (result?.status === "COMPLETED") return result.outcomes;
      await setTimeout(POLL_INTERVAL_MS);
    }
  };
  do {
    if (undone() !== sentAfter) requests = [];
    const isFirst = undone() !== sentAfter;
    sentAfter = undone();
    const request = await client.patchItems(pricesOf(rows, rounds));
    requests.push(request);
    const linkRequest = isFirst ? await client.patchLabels(labelRowsFor(itemIds, String(LABEL_TYPE))) : undefined;
    rounds += 1;
    log(`price list ${rounds} is accepted${isFirst ? ", and the links of its labels" : ""}`);
    await outcomesOf(client.itemsResult, request, false);
    if (linkRequest !== undefined) await outcomesOf(client.labelsResult, linkRequest, false);
  } while (!isOver() || undone() !== sentAfter);

  return {
    rounds,
    expected: pricesOf(rows, rounds - 1),
    async findFailed() {
      const outcomes = await Promise.all(requests.map((request) => outcomesOf(client.itemsResult, request, true)));
      const failed = outcomes.flat().filter(({ status }) => !status.startsWith("SUCCESS"));
      return failed.map(({ itemId, status, errors }) => `row ${itemId}: ${[status, ...errors].join(" ")}`);
    },
  };
}

type ReadResult = (requestId: number) => Promise<{ status: RequestStatus; outcomes: Outcome[] }>;

/** Returns the rows with prices that differ from the prices of every other round. */
export const pricesOf = (rows: readonly ItemPatch[], round: number): ItemPatch[] =>
  rows.map((row, index) => ({ ...row, price: `${1 + (index % 50)}.${String(round % 100).padStart(2, "0")}` }));

/** Returns the items whose price differs from their last row's. */
export async function findWrongPrices(client: Client, expected: readonly ItemPatch[]): Promise<string[]> {
  const prices = new Map<string, string | null>();
  for (let start = 0; ; start += 1000) {
    const page = await client.listItems(`projection=S&start=${start}&limit=1000`);
    for (const { itemId, price } of page) prices.set(itemId, price);
    if (page.length < 1000) break;
  }
  return expected
    .filter(({ itemId, price }) => prices.get(itemId) !== price)
    .map(({ itemId, price }) => `item ${itemId} has the price ${prices.get(itemId)}, not ${price}`);
}
