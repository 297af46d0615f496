import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { createThread, isOwnFault, ThreadError } from "../../runtime/thread/thread.ts";
import type { CanvasDesign } from "../../schemas/canvas.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { bare } from "../links/render-link.ts";
import { blankFile } from "../pixels/blank-picture.ts";
import type { LayingOut } from "../templates/listed.ts";
import type {
  DrawingAnswer,
  DrawingCounts,
  DrawingOrder,
  DrawnLink,
  Enlarging,
  Lacking,
  LinkOrder,
  LoadedDesign,
  LoadedFile,
  NamingLink,
} from "./drawing-order.ts";

/** Loads what the drawing thread lacks. */
export interface Loader {
  design(id: string): Promise<LoadedDesign> | LoadedDesign;
  /** Loads files of images and of fonts by their full keys. A file that does not exist has no content. */
  images(keys: readonly string[]): Promise<LoadedFile[]>;
  fonts(keys: readonly string[]): Promise<LoadedFile[]>;
}

/** Thrown if an order shows more than the drawing thread can hold. */
class NoRoomError extends Error {
  override readonly name = "NoRoomError";
}

export interface Drawing {
  /** Draws links. Returns their pictures in the same order. */
  draw(links: readonly LinkOrder[], load: Loader): Promise<DrawnLink[]>;
  /** Returns the names of the images that these links' designs show; none for a design that cannot be filled. */
  nameImages(links: readonly NamingLink[], design: Loader["design"]): Promise<string[][]>;
  /** Returns a picture from this thread, enlarged by a factor in each direction, with the colours of files or of e-paper. */
  enlarge(enlarging: Enlarging): Promise<Uint8Array>;
  /** Returns a template laid out for labels of a type. Undefined if the template does not support them. */
  layOut(layingOut: LayingOut): Promise<CanvasDesign | undefined>;
  /** Returns the hits and misses of the picture cache since the thread was started. */
  counts(): DrawingCounts;
  /** Ends the thread once it has drawn its orders. */
  close(): void;
}

interface Bounds {
  processorMs: number;
  memoryMb: number;
  /** Wall-clock time, in case the thread waits without using the processor. */
  timeoutMs: number;
}

/** Limits for one order. An order of the largest labels takes a few tenths of a second with cold caches. */
const BOUNDS: Bounds = { processorMs: 10_000, memoryMb: 512, timeoutMs: 120_000 };
const IDLE_MS = 600_000;
/**
 * Number of links in an order, which takes some milliseconds. An urgent picture waits for at most two orders of a bulk call.
 */
const LINKS_PER_ORDER = 12;
/**
 * Maximum number of one call's orders that are waiting or being drawn. Two keep the thread busy and leave room for other calls'
 * orders.
 */
const MAX_ORDERS_UNDER_WAY = 2;
/** Designs that ended a thread: how many are remembered, and for how many milliseconds they are not drawn. */
const POISONED = { max: 1000, ttl: 600_000 };

/**
 * Draws in a separate thread, with limits on time and memory, so that a design that exceeds them causes a fault only for its
 * own labels. After an order that ended the thread or showed more than it can hold, the links are drawn again one by one. A
 * design that ends the thread by itself is not drawn for a while.
 */
export function createDrawing(
  program = new URL("./drawing-thread.ts", import.meta.url),
  bounds: Bounds = BOUNDS,
): Drawing {
  const { run: send, close } = createThread<DrawingOrder, DrawingAnswer>(program, {
    ...bounds,
    idleMs: IDLE_MS,
  });
  const poisoned = new LRUCache<string, string>(POISONED);
  let counts: DrawingCounts = { hits: 0, misses: 0 };

  async function order(links: readonly LinkOrder[], load: Loader): Promise<DrawnLink[]> {
    let answer = await send({ ...nothing, links });
    if ("lacking" in answer) answer = await send({ links, ...(await loadLacking(answer.lacking, load)) });
    if (!("drawn" in answer))
      throw new NoRoomError("the images and fonts that they show exceed the memory of the drawing thread");
    counts = answer.counts;
    return answer.drawn;
  }

  /** Names the images for links of one design. A design that ends the thread names no image, and is not drawn for a while. */
  async function nameTogether(links: readonly NamingLink[], design: Loader["design"]): Promise<string[][]> {
    const [{ designId } = { designId: "" }] = links;
    const naming = { ...nothing, links: links.map(withoutFiles), isNaming: true } as const;
    if (poisoned.has(designId)) return links.map(() => []);
    try {
      let answer = await send(naming);
      if ("lacking" in answer)
        answer = await send({ ...naming, designs: await Promise.all(answer.lacking.designs.map(design)) });
      return "named" in answer ? answer.named : links.map(() => []);
    } catch (error) {
      if (!isOwnFault(error)) throw error;
      poisoned.set(designId, `the design cannot be drawn: ${error.message}`);
      return links.map(() => []);
    }
  }

  async function drawTogether(links: readonly LinkOrder[], load: Loader): Promise<DrawnLink[] | undefined> {
    if (links.some((link) => poisoned.has(designOf(link)))) return undefined;
    try {
      return await order(links, load);
    } catch (error) {
      if (error instanceof ThreadError || error instanceof NoRoomError) return undefined;
      throw error;
    }
  }

  async function drawAlone(link: LinkOrder, load: Loader): Promise<DrawnLink[]> {
    const fault = poisoned.get(designOf(link));
    if (fault !== undefined) return [failed(link, fault)];
    try {
      return await order([link], load);
    } catch (error) {
      if (error instanceof NoRoomError)
        return [failed(link, "the images and fonts that the design shows on the label are too large in total")];
      if (!isOwnFault(error)) throw error;
      const detail = `the design cannot be drawn: ${error.message}`;
      poisoned.set(designOf(link), detail);
      return [failed(link, detail)];
    }
  }

  async function drawGroup(links: readonly LinkOrder[], load: Loader): Promise<DrawnLink[]> {
    const together = await drawTogether(links, load);
    if (together) return together;
    const drawn: DrawnLink[] = [];
    for (const link of links) drawn.push(...(await drawAlone(link, load)));
    return drawn;
  }

  return {
    close,
    counts: () => counts,
    async enlarge(enlarging) {
      const answer = await send({ ...nothing, enlarging });
      if ("enlarged" in answer) return answer.enlarged;
      throw new Error("the drawing thread did not return an enlarged picture");
    },
    async layOut(layingOut) {
      const answer = await send({ ...nothing, layingOut });
      if ("laidOut" in answer) return answer.laidOut;
      throw new Error("the drawing thread did not return a layout");
    },
    async nameImages(links, design) {
      const named = new Map<NamingLink, string[]>();
      for (const ofDesign of Map.groupBy(links, ({ designId }) => designId).values())
        for (const batch of inBatches(ofDesign, LINKS_PER_ORDER)) {
          const names = await nameTogether(batch, design);
          for (const [index, link] of batch.entries()) named.set(link, names[index] ?? []);
        }
      return links.map((link) => named.get(link) ?? []);
    },
    async draw(links, load) {
      // The first order loads the designs into the thread, so the later orders find them there.
      const [first = [], ...others] = inBatches(links, LINKS_PER_ORDER);
      const parts = [
        await drawGroup(first, load),
        ...(await pLimit(MAX_ORDERS_UNDER_WAY).map(others, (group) => drawGroup(group, load))),
      ];
      return parts.flat();
    },
  };
}

/** An order without anything that the thread may lack. */
const nothing: DrawingOrder = { links: [], designs: [], images: [], fonts: [] };

const withoutFiles = (link: NamingLink): LinkOrder => ({ ...link, images: new Map() });

async function loadLacking(lacking: Lacking, load: Loader): Promise<Omit<DrawingOrder, "links">> {
  const [designs, images, fonts] = await Promise.all([
    Promise.all(lacking.designs.map(load.design)),
    lacking.images.length > 0 ? load.images(lacking.images) : [],
    lacking.fonts.length > 0 ? load.fonts(lacking.fonts) : [],
  ]);
  return { designs, images, fonts };
}

const designOf = (link: LinkOrder): string =>
  "eccLink" in link ? `ECC model ${link.eccLink.eccModelId}` : (link.designId ?? "");

const failed = ({ labelType }: LinkOrder, detail: string): DrawnLink =>
  bare({ blank: blankFile }, labelType, { reason: "DRAWING_FAILED", detail });
