import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import pLimit from "p-limit";
import type { Item, ItemPatch } from "../../../schemas/item.ts";
import type { CompiledCanvas } from "../../../workers/renderer/canvas/compile-canvas.ts";
import { encodePng } from "../../../workers/renderer/pixels/png.ts";
import { labelTypes } from "../../demo/catalogue.ts";
import { chooseDemoDesign, drawDemo } from "../../demo/draw.ts";
import { labelRowsFor } from "../../operate/import/label-rows.ts";

/** What every glass must show: the picture of a label's last price. */
export interface Wanted {
  barcode: string;
  itemId: string;
  sha256: string;
}

/** When the labels became right, by the clock of `performance.now()`. */
export interface GlassFindings {
  stale: string[];
  /** When the last label was seen to be right. */
  rightAt: number;
  /** The times of at least `LULL_MS` in which no label became right, and what waited then. */
  lulls: string[];
}

interface Options {
  /** Address of the emulated label server. */
  emulator: string;
  /** Type of the labels. */
  type: number;
  expected: readonly ItemPatch[];
  /** What waits at the moment, for the report of a lull. */
  describeWaiting(): Promise<string>;
}

const POLL_INTERVAL_MS = 500;
const GLASS_TIMEOUT_MS = 300_000;
const LULL_MS = 3_000;
const CONCURRENCY = 100;

/** Waits until every label shows the picture of its last price; tells when the last did, and in which times none did. */
export async function watchGlass({ emulator, type, expected, describeWaiting }: Options): Promise<GlassFindings> {
  let stale = wantedOf(expected, type);
  const deadline = performance.now() + GLASS_TIMEOUT_MS;
  const lulls: string[] = [];
  let movedAt = performance.now();
  let lull: string | undefined;
  const endLull = () => {
    if (lull !== undefined) lulls.push(`${((performance.now() - movedAt) / 1000).toFixed(1)} s: ${lull}`);
    lull = undefined;
  };
  while (stale.length > 0 && performance.now() < deadline) {
    const shown = await pLimit(CONCURRENCY).map(stale, ({ barcode }) => shownOn(emulator, barcode));
    const left = stale.filter(({ sha256 }, index) => shown[index] !== sha256);
    if (left.length < stale.length) {
      endLull();
      movedAt = performance.now();
    } else if (lull === undefined && performance.now() - movedAt > LULL_MS) {
      lull = `${left.length} labels wait; ${await describeWaiting()}`;
    }
    stale = left;
    if (stale.length > 0) await setTimeout(POLL_INTERVAL_MS);
  }
  endLull();
  return {
    stale: stale.map(({ barcode, itemId }) => `label ${barcode} does not show the last price of ${itemId}`),
    rightAt: movedAt,
    lulls,
  };
}

/**
 * The picture that each label must show once these rows are its items' newest: for labels that were made for them.
 * `canvasOf` gives the canvas of a design where it is not the demo's.
 */
export function wantedOf(
  expected: readonly ItemPatch[],
  type: number,
  canvasOf?: (design: string) => CompiledCanvas,
): Wanted[] {
  const labelType = labelTypes.find((candidate) => candidate.type === type);
  if (labelType === undefined) throw new Error(`the demo has no label type ${type}`);
  const rows = labelRowsFor(
    expected.map(({ itemId }) => itemId),
    String(type),
  );
  return rows.map(({ barcode }, index) => {
    const item = itemOfRow(expected[index] ?? { itemId: "" });
    const design = chooseDemoDesign(item, type);
    const picture = encodePng(drawDemo(item, labelType, design, canvasOf?.(design ?? "")));
    return { barcode, itemId: item.itemId, sha256: createHash("sha256").update(picture).digest("hex") };
  });
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
