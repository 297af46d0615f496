import { parentPort } from "node:worker_threads";
import type { ExpressionOrder } from "./expression-order.ts";
import { createExpressionWork } from "./expression-work.ts";

/** The thread of expressions: handles one order at a time. An unexpected error ends it, and the order fails with ThreadError. */
const work = createExpressionWork();
parentPort?.on("message", (order: ExpressionOrder) => parentPort?.postMessage(work(order)));
