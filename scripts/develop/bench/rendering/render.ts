import { setImmediate } from "node:timers/promises";
import { Jimp, loadFont } from "jimp";
import { SANS_16_BLACK, SANS_64_BLACK } from "jimp/fonts";
import type { Item } from "../../../../schemas/item.ts";
import type { LabelType } from "../../../../schemas/tenant.ts";
import { imageFileOf } from "../../../../workers/renderer/pixels/image-file.ts";
import { encodePng } from "../../../../workers/renderer/pixels/png.ts";
import { createDrawing } from "../../../../workers/renderer/thread/drawing.ts";
import { itemToDraw, type LinkOrder } from "../../../../workers/renderer/thread/drawing-order.ts";
import { demoStore, labelTypes } from "../../../demo/catalogue.ts";
import { demoDesigns } from "../../../demo/designs.ts";
import { chooseDemoDesign, drawDemo } from "../../../demo/draw.ts";
import { printRow } from "../report.ts";
import { createCanvasDrawing } from "./canvas-drawing.ts";

const TYPES = [1328, 1340];
const ROUNDS = 5;
/** Jimp is so slow that a few pictures are enough. */
const JIMP_PICTURES = 3;
const PRODUCTS = 200;
/** In the first rounds the engine still compiles the drawing, in threads whose time counts too. */
const WARM_UP_ROUNDS = 5;
const COUNTED_ROUNDS = 15;

/** A product on a label, with the design that the rules choose. */
interface Order {
  item: Item;
  labelType: LabelType;
  design: string | undefined;
}

const ordersOf = (items: readonly Item[], type: number): Order[] => {
  const labelType = labelTypes.find((candidate) => candidate.type === type);
  if (labelType === undefined) throw new Error(`the demo has no label type ${type}`);
  return items.map((item) => ({ item, labelType, design: chooseDemoDesign(item, type) }));
};

const drawOurs = ({ item, labelType, design }: Order): Buffer => encodePng(drawDemo(item, labelType, design));

/** Measures pictures per second of one core, as PNG: against a canvas with the same encoder, and against Jimp. */
export async function benchRendering(items: readonly Item[]): Promise<void> {
  for (const type of TYPES) {
    const orders = ordersOf(items.slice(0, PRODUCTS), type);
    const canvasDrawing = createCanvasDrawing(orders);
    const drawByCanvas = (_: Order, index: number): Buffer => encodePng(canvasDrawing(index));
    const [ours, canvas]: [number[], number[]] = [[], []];
    // Measured in turn, so that both meet an equally busy machine; the first rounds warm both up and do not count.
    for (let round = 0; round < WARM_UP_ROUNDS + COUNTED_ROUNDS; round += 1) {
      const [ourRate, canvasRate] = [await rateOf(orders, drawOurs), await rateOf(orders, drawByCanvas)];
      if (round < WARM_UP_ROUNDS) continue;
      ours.push(ourRate);
      canvas.push(canvasRate);
    }
    const jimp = await rateOf(orders.slice(0, JIMP_PICTURES), await createJimpDrawing());
    const [{ width = 0, height = 0 } = {}] = orders.map(({ labelType }) => labelType);
    const row = { what: `rendering ${width} x ${height}, one core`, rate: median(ours), unit: "pictures" };
    printRow({ ...row, against: "jimp print + quantize", baseline: jimp, minRatio: 100 });
    printRow({ ...row, against: "canvas drawing with the same encoder", baseline: median(canvas), minRatio: 1 });
  }
}

/**
 * Measures pictures per second of wall-clock time as the renderer draws them, in a thread and as files, against the
 * same drawing in this thread. Every item differs, so no picture comes from the cache.
 */
export async function benchRenderer(items: readonly Item[]): Promise<void> {
  const orders = ordersOf(items, TYPES[0] ?? 0);
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
    // Each round renames the designs, so that no picture of the round before is found in the cache.
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

/** Pictures per second of CPU time, which does not depend on other processes. */
async function rateOf(
  orders: readonly Order[],
  draw: (order: Order, index: number) => Buffer | Promise<Buffer>,
): Promise<number> {
  const before = process.cpuUsage();
  for (const [index, order] of orders.entries()) await draw(order, index);
  const { user, system } = process.cpuUsage(before);
  return (orders.length * 1e6) / (user + system);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The obvious way: prints the texts with Jimp's own fonts and reduces the colours to those of the label. */
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
const DRAWINGS_PER_TURN = 20;

/** Draws a million pictures, each with another price, and prints the memory of the process on the way. */
export async function benchRenderMemory(items: readonly Item[]): Promise<void> {
  const orders = ordersOf(items, TYPES[0] ?? 0);
  let bytes = 0;
  for (let drawn = 0; drawn < PICTURES; drawn += 1) {
    const { item, ...order } = orders[drawn % orders.length] as Order;
    const price = (drawn / 100).toFixed(2);
    bytes += drawOurs({ ...order, item: { ...item, price } }).length;
    if (drawn % DRAWINGS_PER_TURN === 0) await setImmediate();
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
