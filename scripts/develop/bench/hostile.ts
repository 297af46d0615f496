import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { ProblemError } from "../../../api/http/problem-error.ts";
import { hostileBodies, receive } from "../../../test/api/http/hostile-bodies.ts";

const MAX_STILL_MS = 250;
const MAX_GROWTH_MB = 300;
const RESOLUTION_MS = 5;
const SETTLE_MS = 40;

const residentMb = (): number => process.memoryUsage.rss() / 2 ** 20;

/**
 * Reads and checks each hostile body as the web process does, and prints the longest that its event loop stood still and the
 * most that its memory grew. The body itself is made before.
 */
export async function benchHostile(): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let still = { ms: 0, name: "" };
  let growth = { mb: 0, name: "" };
  for (const { name, operation, make } of hostileBodies) {
    const bytes = Buffer.from(make() as string);
    await setTimeout(SETTLE_MS);
    const before = residentMb();
    delay.reset();
    await receive(operation, bytes).catch((error: unknown) => {
      if (!(error instanceof ProblemError)) throw error;
    });
    const grown = residentMb() - before;
    await setTimeout(SETTLE_MS);
    const ms = delay.max / 1e6;
    if (ms > still.ms) still = { ms, name: `${operation} with ${name}` };
    if (grown > growth.mb) growth = { mb: grown, name: `${operation} with ${name}` };
  }
  delay.disable();
  print(
    still.ms <= MAX_STILL_MS,
    `${still.ms.toFixed(0)} ms (at most ${MAX_STILL_MS})`,
    "longest stand-still",
    still.name,
  );
  print(
    growth.mb <= MAX_GROWTH_MB,
    `${growth.mb.toFixed(0)} MB (at most ${MAX_GROWTH_MB})`,
    "most growth",
    growth.name,
  );
}

function print(isKept: boolean, figure: string, what: string, name: string): void {
  process.stdout.write(
    `${isKept ? "ok  " : "MISS"} ${figure}  ${what} over ${hostileBodies.length} hostile bodies: ${name}\n`,
  );
}
