import { setTimeout } from "node:timers/promises";
import type { ItemPatch } from "../../../schemas/item.ts";
import type { Client } from "../../client.ts";
import { labelRowsFor } from "../../operate/import/label-rows.ts";

const LABEL_TYPE = "1328";
const POLL_INTERVAL_MS = 200;

/** Sends a price list. Returns the seconds until every row has its outcome. */
export async function storeItems(client: Client, items: readonly ItemPatch[]): Promise<number> {
  const began = performance.now();
  const request = await client.patchItems(items);
  await untilCompleted(() => client.itemsResult(request));
  return (performance.now() - began) / 1000;
}

/** Sends a price list with links. Returns the seconds until the emulated labels show every picture. */
export async function storeAndShow(client: Client, items: readonly ItemPatch[], emulator: string): Promise<number> {
  const read = async () =>
    (await (await fetch(`${emulator}/emulator/summary`)).json()) as { pages: number; waitingReports: number };
  const labels = labelRowsFor(
    items.map(({ itemId }) => itemId),
    LABEL_TYPE,
  );
  const { pages } = await read();
  const began = performance.now();
  await client.patchItems(items);
  await client.patchLabels(labels);
  for (
    let summary = await read();
    summary.pages < pages + labels.length || summary.waitingReports > 0;
    summary = await read()
  ) {
    await setTimeout(POLL_INTERVAL_MS);
  }
  return (performance.now() - began) / 1000;
}

/** Waits until a request is applied. */
export async function untilCompleted(read: () => Promise<{ status: string }>): Promise<void> {
  while ((await read()).status !== "COMPLETED") await setTimeout(POLL_INTERVAL_MS);
}
