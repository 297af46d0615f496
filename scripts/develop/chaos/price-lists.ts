import { setTimeout } from "node:timers/promises";
import type { ItemPatch } from "../../../schemas/item.ts";
import type { Outcome, RequestStatus } from "../../../schemas/request.ts";
import type { Client } from "../../client.ts";
import { labelRowsFor } from "../../operate/import/label-rows.ts";
import { watchGlass } from "./watch-glass.ts";

const TYPE = 1328;
const POLL_INTERVAL_MS = 500;

interface Options {
  client: Client;
  /** Address of the emulated label server. */
  emulator: string;
  rows: readonly ItemPatch[];
  /** Whether all faults have happened; further price lists are sent until then. */
  isOver(): boolean;
  /** When the last fault was over, by the clock of `performance.now()`. */
  overAt(): number;
  /** How many times MongoDB was put back to an earlier moment; then the last list and its links are sent again. */
  undone(): number;
  /** What waits at the moment, for the report of a time in which no label became right. */
  describeWaiting(): Promise<string>;
  log(what: string): void;
}

/** The findings after all faults: each entry of `wrong` is a lost price or a stale label. */
export interface Findings {
  rounds: number;
  /** Milliseconds from the end of the last fault to the last label that became right. */
  lateMs: number;
  wrong: string[];
}

/**
 * Sends a price list with links, and then again with other prices while faults happen. Then checks that every row has
 * its outcome, every item its last price, and every label the picture of that price.
 */
export async function sendUnderFaults(options: Options): Promise<Findings> {
  const { client, emulator, rows, isOver, overAt, undone, describeWaiting, log } = options;
  const itemIds = rows.map(({ itemId }) => itemId);
  let requests: number[] = [];
  let sentAfter = -1;
  let rounds = 0;
  /** The outcomes of a request; none where it was undone, or the faults are over before it is. */
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
    const linkRequest = isFirst ? await client.patchLabels(labelRowsFor(itemIds, String(TYPE))) : undefined;
    rounds += 1;
    await outcomesOf(client.itemsResult, request, false);
    if (linkRequest !== undefined) await outcomesOf(client.labelsResult, linkRequest, false);
    log(`price list ${rounds} is sent${isFirst ? ", and its labels are linked" : ""}`);
  } while (!isOver() || undone() !== sentAfter);

  const expected = pricesOf(rows, rounds - 1);
  const glass = await watchGlass({ emulator, type: TYPE, expected, describeWaiting });
  for (const lull of glass.lulls) log(`no label became right for ${lull}`);
  const lateMs = glass.rightAt - overAt();
  log(`the last label was right ${(lateMs / 1000).toFixed(1)} s after the last fault`);
  const outcomes = await Promise.all(requests.map((request) => outcomesOf(client.itemsResult, request, true)));
  const failed = outcomes.flat().filter(({ status }) => !status.startsWith("SUCCESS"));
  return {
    rounds,
    lateMs,
    wrong: [
      ...failed.map(({ itemId, status, errors }) => `row ${itemId}: ${[status, ...errors].join(" ")}`),
      ...(await findWrongPrices(client, expected)),
      ...glass.stale,
    ],
  };
}

type ReadResult = (requestId: number) => Promise<{ status: RequestStatus; outcomes: Outcome[] }>;

/** The rows with prices that differ from those of every other round. */
const pricesOf = (rows: readonly ItemPatch[], round: number): ItemPatch[] =>
  rows.map((row, index) => ({ ...row, price: `${1 + (index % 50)}.${String(round % 100).padStart(2, "0")}` }));

async function findWrongPrices(client: Client, expected: readonly ItemPatch[]): Promise<string[]> {
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
