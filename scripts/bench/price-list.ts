import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import type { ItemPatch } from "../../schemas/item.ts";
import type { Client } from "../client.ts";
import { labelRowsFor } from "../import/label-rows.ts";
import { itemOf, type Row, readMapping } from "../import/mapping.ts";

const LABEL_TYPE = "1328";
const POLL_MS = 200;

/** A real price list as rows of PATCH /items. */
export async function readPriceList(file: string): Promise<ItemPatch[]> {
  const mapping = await readMapping(new URL("../import/konzum.json", import.meta.url));
  const rows: Row[] = parse(await readFile(file), { columns: true, bom: true });
  return rows.map((row) => itemOf(row, mapping));
}

/** Seconds from sending a price list until every row has its outcome. */
export async function storeItems(client: Client, items: readonly ItemPatch[]): Promise<number> {
  const began = performance.now();
  const request = await client.patchItems(items);
  await untilCompleted(() => client.itemsResult(request));
  return (performance.now() - began) / 1000;
}

/** Seconds from sending a price list with links until every picture is on the emulated glass. */
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
    await setTimeout(POLL_MS);
  }
  return (performance.now() - began) / 1000;
}

async function untilCompleted(read: () => Promise<{ status: string }>): Promise<void> {
  while ((await read()).status !== "COMPLETED") await setTimeout(POLL_MS);
}
