import type { SharedWorker } from "ava/plugin";
import type { Order } from "./served.ts";
import { openShelfwire } from "./shelfwire.ts";

/** Where the stack that a file asked for is, or why it is not open. */
export type Answer = { origin: string } | { error: string };

/**
 * The program of AVA's shared worker: opens a stack for each file that asks for one, with a Redis and a database of its
 * own, and closes it when the file is over. It costs a tenth of a stack in the file's own thread, where every module is
 * loaded and compiled anew.
 */
export default async function serveStacks({ negotiateProtocol }: SharedWorker.FactoryOptions): Promise<void> {
  const protocol = negotiateProtocol<Order | Answer>(["ava-4"]).ready();
  for await (const message of protocol.subscribe()) void open(message);
}

async function open(message: SharedWorker.ReceivedMessage<Order | Answer>): Promise<void> {
  try {
    const { origin, close } = await openShelfwire(message.data as Order);
    message.testWorker.teardown(close);
    message.reply({ origin });
  } catch (error) {
    message.reply({ error: (error as Error).message });
  }
}
