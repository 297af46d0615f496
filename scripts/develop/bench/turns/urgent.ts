import { setTimeout } from "node:timers/promises";
import type { ItemPatch } from "../../../../schemas/item.ts";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { labelRowsFor } from "../../../operate/import/label-rows.ts";
import { storeAndShow } from "../price-list.ts";
import { printRow } from "../report.ts";

const LABEL_TYPE = "1328";
const POLL_INTERVAL_MS = 1_000;
/** Urgent changes per second during a list. */
const RATES = [2, 10];
/** Maximum number of urgent changes during one list. Each label is changed once. */
const URGENT_LABELS = 900;
/** No item of a list costs this much, so each of the list's labels changes. */
const FIRST_PRICE = 9_000;

const urgentItems: readonly ItemPatch[] = Array.from({ length: URGENT_LABELS }, (_, index) => ({
  ...{ itemId: `urgent ${index}`, itemName: `Urgent ${index}`, price: "1.00" },
}));

/**
 * Measures the rate from a price list to acknowledged pictures during urgent changes in the same store, compared with the rate of
 * the list by itself, and how long urgent changes take from the call to the glass.
 */
export async function benchUrgent({ stack, client }: DemoStack, list: readonly ItemPatch[]): Promise<void> {
  await storeAndShow(client, [...list, ...urgentItems], stack.emulator);
  const glass = watchGlass(stack.emulator);
  const listed = barcodesOf(list);
  const urgent = barcodesOf(urgentItems);
  let price = FIRST_PRICE;

  /** Sends urgent changes at a rate until `isOver`. Resolves with the time at which each label's change was sent. */
  async function sendUrgent(rate: number, isOver: () => boolean): Promise<Map<string, number>> {
    const sent = new Map<string, number>();
    const calls: Promise<unknown>[] = [];
    const began = Date.now();
    for (const [index, item] of urgentItems.entries()) {
      await setTimeout(Math.max(0, began + (index * 1000) / rate - Date.now()));
      if (isOver()) break;
      sent.set(urgent[index] ?? "", Date.now());
      calls.push(client.patchItems([{ ...item, price: `${price}.50` }]));
    }
    await Promise.all(calls);
    return sent;
  }

  /** Measures labels per second of the whole list, with this many urgent changes per second. */
  async function measure(rate: number): Promise<number> {
    price += 1;
    let isOver = false;
    const sending = rate > 0 ? sendUrgent(rate, () => isOver) : undefined;
    const began = Date.now();
    await client.patchItems(list.map((item) => ({ ...item, price: `${price}.49` })));
    const shownAt = await glass.untilShown(new Map(listed.map((barcode) => [barcode, began])));
    isOver = true;
    if (sending) await printTimes(rate, await sending);
    return (list.length * 1000) / (Math.max(...listed.map((barcode) => shownAt.get(barcode) ?? 0)) - began);
  }

  async function printTimes(rate: number, sent: ReadonlyMap<string, number>): Promise<void> {
    const shownAt = await glass.untilShown(sent);
    const times = [...sent].map(([barcode, at]) => (shownAt.get(barcode) ?? at) - at).sort((one, other) => one - other);
    const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0;
    const figures = `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms`;
    process.stdout.write(`     ${rate} urgent changes a second, ${times.length} of them, to the glass: ${figures}\n`);
  }

  await measure(0);
  const alone = await measure(0);
  for (const rate of RATES) {
    printRow({
      what: `a price list of ${list.length} to acknowledged pictures during ${rate} urgent changes a second`,
      ...{ against: "alone", rate: await measure(rate), baseline: alone, unit: "labels", minRatio: 0.6 },
    });
  }
}

const barcodesOf = (items: readonly ItemPatch[]): string[] =>
  labelRowsFor(
    items.map(({ itemId }) => itemId),
    LABEL_TYPE,
  ).map(({ barcode }) => barcode);

interface EmulatedLabel {
  barcode: string;
  pages: Record<string, { acknowledgedAt: string }>;
}

/** Reads from the emulator when labels acknowledged their first page. */
function watchGlass(emulator: string) {
  async function readAcknowledged(): Promise<Map<string, number>> {
    const labels = (await (await fetch(`${emulator}/emulator/labels?limit=100000`)).json()) as EmulatedLabel[];
    return new Map(labels.map(({ barcode, pages }) => [barcode, Date.parse(pages[0]?.acknowledgedAt ?? "")]));
  }

  return {
    /**
     * Waits until each label in `since` has acknowledged a picture no earlier than its time in `since`. Resolves with each
     * label's last acknowledgement.
     */
    async untilShown(since: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
      for (;;) {
        // Once a second, since reading all labels affects the measurement.
        await setTimeout(POLL_INTERVAL_MS);
        const acknowledged = await readAcknowledged();
        if ([...since].every(([barcode, at]) => (acknowledged.get(barcode) ?? 0) >= at)) return acknowledged;
      }
    },
  };
}
