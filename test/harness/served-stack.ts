import test from "ava";
import { callersOf, type Order, type Served } from "./served.ts";
import { stackThread } from "./threads/stack-threads.ts";

/**
 * Opens a Shelfwire for this file alone, in a thread shared with other files. For files that need only its API. It is open
 * before the file's first test and closed after its last. Once all tests have passed, its stages are audited and nothing may be
 * stale, and its API's statements about its labels must match their glass.
 */
export function servedStack(order: Order = {}): Served {
  const served = {} as Served;
  const { ask } = stackThread();
  let stack = 0;
  test.serial.before(async () => {
    const { id, origin = "" } = await ask({ open: "stack", order });
    stack = id;
    Object.assign(served, await callersOf(origin));
  });
  if (order.leavesStale === undefined) test.after(async () => void (await ask({ audit: stack })));
  return served;
}
