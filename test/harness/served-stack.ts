import test from "ava";
import { registerSharedWorker } from "ava/plugin";
import { callersOf, type Order, type Served } from "./served.ts";
import type { Answer, Request } from "./stack-server.ts";

/**
 * A Shelfwire of this file's own, which a thread serves that serves those of other files too: for files that need no more
 * than its interface. It is open before the file's first test, and closed when the file is over. Once all tests have passed,
 * its stages are audited and nothing may be stale.
 */
export function servedStack(order: Order = {}): Served {
  const served = {} as Served;
  const server = registerSharedWorker({
    filename: new URL("./stack-server.ts", import.meta.url),
    supportedProtocols: ["ava-4"],
  });
  const ask = async (request: Request) => {
    for await (const { data } of server.publish(request).replies()) {
      const answer = data as Answer;
      if ("error" in answer) throw new Error(answer.error);
      return answer;
    }
    throw new Error("the thread that serves stacks has not answered");
  };
  test.serial.before(async () => {
    await server.available;
    Object.assign(served, await callersOf((await ask({ open: order })).origin));
  });
  if (order.leavesStale === undefined) test.after(async () => void (await ask({ audit: true })));
  return served;
}
