import { parentPort } from "node:worker_threads";
import { createDrawer } from "./drawer.ts";
import type { DrawingOrder } from "./drawing-order.ts";

/**
 * The drawing thread: handles one order at a time. An unexpected error ends the thread, and its orders fail with
 * ThreadError.
 */
const draw = createDrawer();
parentPort?.on("message", async (order: DrawingOrder) => parentPort?.postMessage(await draw(order)));
