import { parentPort } from "node:worker_threads";
import { drawPages, type PageDrawingOrder } from "./draw-pages.ts";

/** The drawing thread: takes one order at a time and answers with its pictures or with the reason of a failure. */
parentPort?.on("message", async (order: PageDrawingOrder) => {
  try {
    parentPort?.postMessage({ drawn: await drawPages(order) });
  } catch (error) {
    parentPort?.postMessage({ failed: (error as Error).message });
  }
});
