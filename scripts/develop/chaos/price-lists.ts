import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import pLimit from "p-limit";
import type { Item, ItemPatch } from "../../../schemas/item.ts";
import type { Outcome, RequestStatus } from "../../../schemas/request.ts";
import { encodePng } from "../../../workers/renderer/pixels/png.ts";
import type { Client } from "../../client.ts";
import { labelTypes } from "../../demo/catalogue.ts";
import { chooseDemoDesign, drawDemo } from "../../demo/draw.ts";
import { labelRowsFor } from "../../operate/import/label-rows.ts";

const TYPE = 1328;
const POLL_INTERVAL_MS = 500;
const GLASS_TIMEOUT_MS = 300_000;
const CONCURRENCY = 200;

interface Options {
  client: Client;
  /** Address of the emulated label server. */
  emulator: string;
  rows: readonly ItemPatch[];
  /** Whether all faults have happened; further price lists are sent until then. */
  isOver(): boolean;
  log(what: string): void;
}

/** The findings after all faults: each entry of `wrong` is a lost price or a stale label. */
export interface Findings {
  rounds: number;
  wrong: string[];
}

/**
 * Sends a price list with links, and then again with other prices while faults happen. Then checks that every row has
 * its outcome, every item its last price, and every label the picture of that price.
 */
export async function sendUnderFaults({ client, emulator, rows, isOver, log }: Options): Promise<Findings> {
  const itemRequests: number[] = [];
  let rounds = 0;
  do {
    itemRequests.push(await client.patchItems(pricesOf(rows, rounds)));
    if (rounds === 0) log("the labels are linked");
    const links = labelRowsFor(
      rows.map(({ itemId }) => itemId),
      String(TYPE),
    );
    const linkRequest = rounds === 0 ? await client.patchLabels(links) : undefined;
    rounds += 1;
    await untilOver(client.itemsResult, itemRequests.at(-1) ?? 0);
    if (linkRequest !== undefined) await untilOver(client.labelsResult, linkRequest);
    log(`price list ${rounds} is stored`);
  } while (!isOver());

  const outcomes = await Promise.all(itemRequests.map((request) => untilOver(client.itemsResult, request)));
  const failed = outcomes.flat().filter(({ status }) => !status.startsWith("SUCCESS"));
  const expected = pricesOf(rows, rounds - 1);
  return {
    rounds,
    wrong: [
      ...failed.map(({ itemId, status, errors }) => `row ${itemId}: ${[status, ...errors].join(" ")}`),
      ...(await findWrongPrices(client, expected)),
      ...(await findStaleLabels(emulator, expected)),
    ],
  };
}

/** The rows with prices that differ from those of every other round. */
const pricesOf = (rows: readonly ItemPatch[], round: number): ItemPatch[] =>
  rows.map((row, index) => ({ ...row, price: `${1 + (index % 50)}.${String(round % 100).padStart(2, "0")}` }));

async function untilOver(
  read: (requestId: number) => Promise<{ status: RequestStatus; outcomes: Outcome[] }>,
  requestId: number,
): Promise<Outcome[]> {
  for (;;) {
    const { status, outcomes } = await read(requestId);
    if (status === "COMPLETED" || status === "FAILED") return outcomes;
    await setTimeout(POLL_INTERVAL_MS);
  }
}

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

/** The labels that do not show the last price, after they have settled or the time limit is over. */
async function findStaleLabels(emulator: string, expected: readonly ItemPatch[]): Promise<string[]> {
  const labelType = labelTypes.find(({ type }) => type === TYPE);
  if (labelType === undefined) throw new Error(`the demo has no label type ${TYPE}`);
  let stale = labelRowsFor(
    expected.map(({ itemId }) => itemId),
    String(TYPE),
  ).map(({ barcode }, index) => {
    const item = itemOfRow(expected[index] ?? { itemId: "" });
    const picture = encodePng(drawDemo(item, labelType, chooseDemoDesign(item, TYPE)));
    return { barcode, itemId: item.itemId, sha256: createHash("sha256").update(picture).digest("hex") };
  });
  const deadline = performance.now() + GLASS_TIMEOUT_MS;
  while (stale.length > 0 && performance.now() < deadline) {
    const shown = await pLimit(CONCURRENCY).map(stale, ({ barcode }) => shownOn(emulator, barcode));
    stale = stale.filter(({ sha256 }, index) => shown[index] !== sha256);
    if (stale.length > 0) await setTimeout(POLL_INTERVAL_MS);
  }
  return stale.map(({ barcode, itemId }) => `label ${barcode} does not show the last price of ${itemId}`);
}

async function shownOn(emulator: string, barcode: string): Promise<string | undefined> {
  const answer = await fetch(`${emulator}/emulator/labels/${barcode}`);
  if (!answer.ok) return undefined;
  const { pages } = (await answer.json()) as { pages: Record<string, { sha256: string }> };
  return pages["0"]?.sha256;
}

/** The item that a row makes where no item existed before. */
const itemOfRow = ({ itemId, properties, itemName, price, itemGroup }: ItemPatch): Item => ({
  itemId,
  ...(itemName && { itemName }),
  ...(price && { price }),
  ...(itemGroup && { itemGroup }),
  sics: [],
  properties: Object.entries(properties ?? {}).map(([key, value]) => ({ key, value, stamp: 1 })),
  stamps: {},
  created: 1,
});
