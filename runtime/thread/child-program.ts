import type { ChildBounds, ChildMessage } from "./child.ts";
import { createThread, type ThreadError } from "./thread.ts";

/** Interval at which the process's memory is checked. Between two checks it may grow by tens of megabytes. */
const POLL_INTERVAL_MS = 20;
/**
 * A process that uses more than this share of its memory limit between two orders is replaced: much of that memory may be
 * garbage.
 */
const SHARE_AT_REST = 0.5;

const [, , thread = "", written = ""] = process.argv;
const bounds = JSON.parse(written) as ChildBounds;
const { run } = createThread<unknown, unknown>(new URL(thread), bounds);
const residentMb = (): number => process.memoryUsage.rss() / 2 ** 20;
let orders = 0;
const reply = (message: ChildMessage<unknown>): unknown => process.send?.(message);

/** The process that a child runs: it monitors its memory while its thread runs an order (`createChild`). */
process.on("message", async (order) => {
  reply({ hasBegun: true });
  orders += 1;
  const isFirst = orders === 1;
  const watching = setInterval(() => {
    if (residentMb() <= bounds.residentMb) return;
    clearInterval(watching);
    if (!isFirst) reply({ isSpent: true });
    else reply({ failed: `it needs more than ${bounds.residentMb} MB of memory`, hasEnded: true });
  }, POLL_INTERVAL_MS);
  try {
    const answer = await run(order);
    reply({ answer, hasEnded: residentMb() > bounds.residentMb * SHARE_AT_REST });
  } catch (error) {
    const { message: failed, isLate } = error as ThreadError;
    reply({ failed, isLate, hasEnded: true });
  } finally {
    clearInterval(watching);
  }
});
// An orderly exit would wait for a thread that is decoding, and nothing needs to be cleaned up.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
// A terminal sends these signals to all processes, but the parent finishes its orders before it ends this one.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
