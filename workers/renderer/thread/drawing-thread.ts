import { parentPort } from "node:worker_threads";
import { createDrawer } from "./drawer.ts";
import type { DrawingOrder } from "./drawing-order.ts";

/** The thread that draws: one order at a time. What it cannot answer ends it, and whoever ordered hears of that. */
const draw = createDrawer();
parentPort?.on("message", async (order: DrawingOrder) => parentPort?.postMessage(await draw(order)));
