import { parentPort } from "node:worker_threads";
import { drawPages, type PageDrawingOrder } from "./draw-pages.ts";

/** The thread that draws: one order at a time, each answered by its pictures or by why there are none. */
parentPort?.on("message", async (order: PageDrawingOrder) => {
  try {
    parentPort?.postMessage({ drawn: await drawPages(order) });
  } catch (error) {
    parentPort?.postMessage({ failed: (error as Error).message });
  }
});
