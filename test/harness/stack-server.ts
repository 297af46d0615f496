import type { SharedWorker } from "ava/plugin";
import type { Order } from "./served.ts";
import { openShelfwire, type Shelfwire } from "./shelfwire.ts";

/** What a file asks for: a stack of its own, or an audit of it. */
export type Request = { open: Order } | { audit: true };
/** Where the stack of a file is, or why it is not open or not as it should be. */
export type Answer = { origin: string } | { error: string };

type Received = SharedWorker.ReceivedMessage<Request | Answer>;

/**
 * The program of AVA's shared worker: opens a stack for each file that asks for one, with a Redis and a database of its
 * own, and closes it when the file is over. It costs a tenth of a stack in the file's own thread, where every module is
 * loaded and compiled anew.
 */
export default async function serveStacks({ negotiateProtocol }: SharedWorker.FactoryOptions): Promise<void> {
  const protocol = negotiateProtocol<Request | Answer>(["ava-4"]).ready();
  /** The stack of each file, by the id of its process. */
  const stacks = new Map<string, Shelfwire>();

  async function carryOut({ testWorker, data }: Received): Promise<Answer> {
    const request = data as Request;
    if ("open" in request) {
      const stack = await openShelfwire(request.open);
      testWorker.teardown(stack.close);
      stacks.set(testWorker.id, stack);
    } else await stacks.get(testWorker.id)?.assertNothingStale();
    return { origin: stacks.get(testWorker.id)?.origin ?? "" };
  }

  for await (const message of protocol.subscribe()) {
    carryOut(message).then(
      (answer) => message.reply(answer),
      (error: Error) => message.reply({ error: error.message }),
    );
  }
}
