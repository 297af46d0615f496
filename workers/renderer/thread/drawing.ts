import { LRUCache } from "lru-cache";
import { createThread, ThreadError } from "../../../queues/worker/thread.ts";
import { bare } from "../links/render-link.ts";
import { blankFile } from "../pixels/blank-picture.ts";
import type {
  DrawingAnswer,
  DrawingCounts,
  DrawingOrder,
  DrawnLink,
  LinkOrder,
  LoadedDesign,
} from "./drawing-order.ts";

/** Gives a design that the thread does not have. */
export type LoadDesign = (designId: string) => Promise<LoadedDesign>;

export interface Drawing {
  /** The pictures of links, in their order. */
  draw(links: readonly LinkOrder[], load: LoadDesign): Promise<DrawnLink[]>;
  /** How often a picture was kept from before, and how often not, since the thread was started. */
  counts(): DrawingCounts;
}

interface Bounds {
  processorMs: number;
  memoryMb: number;
}

/** An order takes some tenths of a second, of the largest labels and with cold caches. */
const BOUNDS: Bounds = { processorMs: 10_000, memoryMb: 512 };
/** Whatever holds a thread that does nothing. */
const WITHIN_MS = 120_000;
const IDLE_MS = 600_000;
const LINKS_PER_ORDER = 50;
/** Designs that ended a thread, and for how long nothing is drawn with them. */
const POISONED = { max: 1000, ttl: 600_000 };

/**
 * Draws in a thread beside this one, with bounds of time and memory: a design that breaks them costs its own labels a
 * fault and nobody else anything. The links of an order that broke the thread are drawn once more, one by one; a design
 * that breaks it then is not drawn with for a while.
 */
export function createDrawing(
  program = new URL("./drawing-thread.ts", import.meta.url),
  bounds: Bounds = BOUNDS,
): Drawing {
  const ask = createThread<DrawingOrder, DrawingAnswer>(program, { ...bounds, withinMs: WITHIN_MS, idleMs: IDLE_MS });
  const poisoned = new LRUCache<string, string>(POISONED);
  let counts: DrawingCounts = { hits: 0, misses: 0 };

  async function order(links: readonly LinkOrder[], load: LoadDesign): Promise<DrawnLink[]> {
    let answer = await ask({ links, designs: [] });
    if ("lacking" in answer) answer = await ask({ links, designs: await Promise.all(answer.lacking.map(load)) });
    if ("lacking" in answer) throw new Error(`the thread that draws has no room for ${answer.lacking.join(", ")}`);
    counts = answer.counts;
    return answer.drawn;
  }

  async function drawTogether(links: readonly LinkOrder[], load: LoadDesign): Promise<DrawnLink[] | undefined> {
    if (links.some((link) => poisoned.has(designOf(link)))) return undefined;
    try {
      return await order(links, load);
    } catch (error) {
      if (error instanceof ThreadError) return undefined;
      throw error;
    }
  }

  async function drawAlone(link: LinkOrder, load: LoadDesign): Promise<DrawnLink[]> {
    const fault = poisoned.get(designOf(link));
    if (fault !== undefined) return [failed(link, fault)];
    try {
      return await order([link], load);
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error;
      const detail = `the design cannot be drawn: ${error.message}`;
      poisoned.set(designOf(link), detail);
      return [failed(link, detail)];
    }
  }

  async function drawSome(links: readonly LinkOrder[], load: LoadDesign): Promise<DrawnLink[]> {
    const together = await drawTogether(links, load);
    if (together) return together;
    const drawn: DrawnLink[] = [];
    for (const link of links) drawn.push(...(await drawAlone(link, load)));
    return drawn;
  }

  return {
    counts: () => counts,
    async draw(links, load) {
      // The first order brings the thread the designs; the others are made ready while it draws.
      const [first = [], ...others] = ordersOf(links);
      const parts = [await drawSome(first, load), ...(await Promise.all(others.map((some) => drawSome(some, load))))];
      return parts.flat();
    },
  };
}

const ordersOf = (links: readonly LinkOrder[]): LinkOrder[][] =>
  Array.from({ length: Math.ceil(links.length / LINKS_PER_ORDER) }, (_, index) =>
    links.slice(index * LINKS_PER_ORDER, (index + 1) * LINKS_PER_ORDER),
  );

const designOf = (link: LinkOrder): string =>
  "eccLink" in link ? `ECC model ${link.eccLink.eccModelId}` : (link.designId ?? "");

const failed = ({ labelType }: LinkOrder, detail: string): DrawnLink =>
  bare({ blank: blankFile }, labelType, { reason: "DRAWING_FAILED", detail });
