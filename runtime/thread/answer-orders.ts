import { parentPort } from "node:worker_threads";

/**
 * Answers orders from the thread that started this one (runtime/thread/thread.ts), one at a time. Two orders may be posted
 * together, and responses carry no id: if the second order overtook the first, each would receive the other's response. An
 * error ends the thread.
 */
export function answerOrders<Order, Answer>(answer: (order: Order) => Answer | Promise<Answer>): void {
  let last: Promise<void> = Promise.resolve();
  parentPort?.on("message", (order: Order) => {
    last = last.then(async () => parentPort?.postMessage(await answer(order)));
  });
}
