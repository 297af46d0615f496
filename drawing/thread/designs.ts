import { LRUCache } from "lru-cache";
import type { CanvasDesign } from "../../schemas/canvas.ts";
import { type CompiledCanvas, compileCanvas, DesignError } from "../canvas/compile-canvas.ts";
import type { LoadedDesign } from "./drawing-order.ts";

/** A compiled canvas design, or why it cannot be compiled. */
type ReadyCanvas = CompiledCanvas | Error;

export interface Designs {
  /** Prepares a design: compiles its expressions. */
  add(design: LoadedDesign): void;
  get(id: string | undefined): ReadyCanvas | undefined;
}

const MAX_CANVASES = 1000;

/** Caches the most recently used designs. Each rev of a design is prepared once. */
export function createDesigns(): Designs {
  const ready = new LRUCache<string, ReadyCanvas>({ max: MAX_CANVASES });
  return {
    add: ({ id, canvas }) => void ready.set(id, tryToCompile(canvas)),
    get: (id) => (id === undefined ? undefined : ready.get(id)),
  };
}

function tryToCompile(canvas: CanvasDesign): ReadyCanvas {
  try {
    return compileCanvas(canvas, true);
  } catch (error) {
    if (error instanceof DesignError) return error;
    throw error;
  }
}
