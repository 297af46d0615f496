import { parentPort } from "node:worker_threads";

/** What a thread does for an order, by the name of the order. */
const actions: Readonly<Record<string, () => void>> = {
  say: () => {},
  loop: () => {
    for (;;);
  },
  throw: () => {
    throw new Error("of no sense");
  },
  exit: () => process.exit(),
  eat: () => {
    const eaten: number[][] = [];
    for (;;) eaten.push(Array.from({ length: 100_000 }, Math.random));
  },
};

parentPort?.on("message", (order: { do: string; say?: number }) => {
  actions[order.do]?.();
  if (order.do !== "wait") parentPort?.postMessage(order.say);
});
