import { execFile } from "node:child_process";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Jimp, loadFont } from "jimp";
import { SANS_16_BLACK, SANS_64_BLACK } from "jimp/fonts";
import { imageFileOf } from "../../../../drawing/pixels/image-file.ts";
import { createDrawing } from "../../../../drawing/thread/draw-within-limits.ts";
import { itemToDraw, type LinkOrder } from "../../../../drawing/thread/drawing-order.ts";
import type { Item } from "../../../../schemas/item.ts";
import { demoStore } from "../../../demo/catalogue.ts";
import { demoDesigns } from "../../../demo/designs.ts";
import { drawDemo } from "../../../demo/draw.ts";
import { median, printRow } from "../report.ts";
import { drawOurs, type Order, ordersOf, rateOf } from "./orders.ts";

/** Label types, and the smallest accepted ratio to a canvas. It grows with the picture, as more of a larger one is blank. */
const LEAST_RATIOS = [
  [1328, 3],
  [1340, 5],
] as const;
const ROUNDS = 5;
/** Jimp is so slow that a few pictures are enough. */
const JIMP_PICTURES = 3;
/** Number of processes for each way. */
const TURNS = 3;

/**
 * Measures pictures per second of one core, as PNG, for the first items of a list: against a canvas with the same encoder,
 * and against Jimp.
 */
export async function benchRendering(items: readonly Item[], list: string): Promise<void> {
  for (const [type, minRatio] of LEAST_RATIOS) {
    const [ours, canvas]: [number[], number[]] = [[], []];
    // Measured alternately, so that both meet an equally busy machine.
    for (let turn = 0; turn < TURNS; turn += 1) {
      ours.push(...(await ratesOf("ours", list, type)));
      canvas.push(...(await ratesOf("canvas", list, type)));
    }
    const orders = ordersOf(items.slice(0, JIMP_PICTURES), type);
    const jimp = await rateOf(orders, await createJimpDrawing());
    const [{ width = 0, height = 0 } = {}] = orders.map(({ labelType }) => labelType);
    const row = { what: `rendering ${width} x ${height}, one core`, rate: median(ours), unit: "pictures" };
    printRow({ ...row, against: "jimp print + quantize", baseline: jimp, minRatio: 100 });
    printRow({ ...row, against: "canvas drawing with the same encoder", baseline: median(canvas), minRatio });
  }
}

/** Runs rounds in a process of their own and returns their rates. */
async function ratesOf(way: "ours" | "canvas", list: string, type: number): Promise<number[]> {
  const entry = fileURLToPath(new URL("draw-rates.ts", import.meta.url));
  const options = Object.entries({ list, way, type, rounds: ROUNDS }).flatMap(([name, value]) => [
    `--${name}`,
    `${value}`,
  ]);
  const { stdout } = await promisify(execFile)(process.execPath, [entry, ...options]);
  return JSON.parse(stdout) as number[];
}

/**
 * Measures pictures per second of wall-clock time as the renderer draws them, in a thread and as files, against the same
 * drawing in this thread. Every item differs, so no picture is in the cache.
 */
export async function benchRenderer(items: readonly Item[]): Promise<void> {
  const orders = ordersOf(items, LEAST_RATIOS[0][0]);
  const links = orders.map(({ item, labelType, design }): LinkOrder => {
    const designerLink = { linkRev: 1, status: "ACTIVE" as const, design_id: design ?? null, itemId: item.itemId };
    const surroundings = { displayPosition: 0, item: itemToDraw(item), labelType, store: demoStore };
    return { ...surroundings, designerLink, designId: design, images: new Map() };
  });
  const load = {
    design(id: string) {
      const found = demoDesigns.find(({ key }) => key === id.slice(id.indexOf(" ") + 1));
      if (found === undefined) throw new Error(`the demo has no design ${id}`);
      return { id, canvas: found.canvas };
    },
    images: async () => [],
    fonts: async () => [],
  };
  const drawing = createDrawing();
  const [threaded, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const began = performance.now();
    // Each round renames the designs, so that no picture of the previous round is in the cache.
    await drawing.draw(
      links.map((link) => ("designId" in link ? { ...link, designId: `${round} ${link.designId}` } : link)),
      load,
    );
    const between = performance.now();
    for (const { item, labelType, design } of orders) imageFileOf(drawDemo(item, labelType, design));
    if (round === 0) continue;
    threaded.push((1000 * orders.length) / (between - began));
    bare.push((1000 * orders.length) / (performance.now() - between));
  }
  const { hits } = drawing.counts();
  if (hits > 0) throw new Error(`${hits} pictures came from the cache: nothing was measured`);
  printRow({
    what: `${orders.length} pictures drawn as the renderer has them drawn`,
    against: "bare drawing and encoding",
    rate: median(threaded),
    baseline: median(bare),
    unit: "pictures",
    minRatio: 0.7,
  });
}

/** The obvious way: prints the text with Jimp's own fonts and reduces the colours to the label's. */
async function createJimpDrawing(): Promise<(order: Order) => Promise<Buffer>> {
  const [small, large] = [await loadFont(SANS_16_BLACK), await loadFont(SANS_64_BLACK)];
  return async ({ item, labelType: { width, height, colors } }) => {
    const image = new Jimp({ width, height, color: 0xffffffff });
    image.print({ font: small, x: 6, y: 6, text: item.itemName ?? "", maxWidth: width - 12 });
    image.print({ font: large, x: Math.floor(width / 2), y: Math.floor(height / 3), text: item.price ?? "" });
    image.quantize({ colors: colors.length });
    return image.getBuffer("image/png");
  };
}

const PICTURES = 1_000_000;
const REPORT_AT = [1000, 100_000, 200_000, 500_000, 1_000_000];
const DRAWINGS_PER_PAUSE = 20;

/** Draws a million pictures, each with a different price, and prints the memory of the process as it goes. */
export async function benchRenderMemory(items: readonly Item[]): Promise<void> {
  const orders = ordersOf(items, LEAST_RATIOS[0][0]);
  let bytes = 0;
  for (let drawn = 0; drawn < PICTURES; drawn += 1) {
    const { item, ...order } = orders[drawn % orders.length] as Order;
    const price = (drawn / 100).toFixed(2);
    bytes += drawOurs({ ...order, item: { ...item, price } }).length;
    if (drawn % DRAWINGS_PER_PAUSE === 0) await setImmediate();
    if (REPORT_AT.includes(drawn + 1)) printMemory(drawn + 1, bytes);
  }
}

function printMemory(drawn: number, bytes: number): void {
  const { rss, heapUsed, external } = process.memoryUsage();
  const [all, heap, outside] = [rss, heapUsed, external].map((value) => (value / 1024 / 1024).toFixed(0));
  const size = Math.round(bytes / drawn);
  process.stdout.write(
    `${String(drawn).padStart(9)} pictures of ${size} bytes: RSS ${all} MB, heap ${heap} MB, external ${outside} MB\n`,
  );
}
