import { parentPort } from "node:worker_threads";
import { createDrawer } from "../../../drawing/thread/drawer.ts";
import type { DrawingOrder } from "../../../drawing/thread/drawing-order.ts";

/** What designs with these names do. No known design has these faults, but a design might. */
const poisons: Readonly<Record<string, () => void>> = {
  loops: () => {
    for (;;);
  },
  eats: () => {
    const eaten: number[][] = [];
    for (;;) eaten.push(Array.from({ length: 100_000 }, Math.random));
  },
  exits: () => process.exit(),
};

const draw = createDrawer();
parentPort?.on("message", async (order: DrawingOrder) => {
  for (const link of order.links) if ("designId" in link) poisons[link.designId ?? ""]?.();
  parentPort?.postMessage(await draw(order));
});
