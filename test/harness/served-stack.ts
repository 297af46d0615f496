import test from "ava";
import { registerSharedWorker } from "ava/plugin";
import { callersOf, type Order, type Served } from "./served.ts";
import type { Answer } from "./stack-server.ts";

/**
 * A Shelfwire of this file's own, which a thread serves that serves those of other files too: for files that need no more
 * than its interface. It is open before the file's first test, and closed when the file is over.
 */
export function servedStack(order: Order = {}): Served {
  const served = {} as Served;
  const server = registerSharedWorker({
    filename: new URL("./stack-server.ts", import.meta.url),
    supportedProtocols: ["ava-4"],
  });
  test.serial.before(async () => {
    await server.available;
    for await (const { data } of server.publish(order).replies()) {
      const answer = data as Answer;
      if ("error" in answer) throw new Error(answer.error);
      Object.assign(served, await callersOf(answer.origin));
      return;
    }
  });
  return served;
}
