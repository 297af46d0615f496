import { writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { HostileSend } from "../../../test/api/http/hostile/hostile-sends.ts";
import type { DemoStack } from "../../demo/with-stack.ts";
import type { Stack } from "../../start/stack.ts";
import { beginProbe } from "./probe.ts";

const MAX_STILL_MS = 250;
/**
 * Maximum memory of a process by itself, and together with the child that decodes images for it
 * (drawing/decoding/decoding-bounds.ts).
 */
const MAX_MB = { web: { own: 600, together: 1_100 }, pages: { own: 300, together: 1_200 } };
const QUIET_MS = 200;
/** Makes the kernel reset a process's peak memory. */
const RESET_PEAK = "5";

/**
 * Attacks a running system as a hostile caller might, one attack after another. For each attack, prints how long the API was
 * blocked for another caller, and the peak memory of the web process and of the process for which images are decoded, each
 * together with its child.
 */
export async function benchHostile({ stack, base, token }: DemoStack, sends: readonly HostileSend[]): Promise<void> {
  const { origin, pathname } = new URL(base);
  const target = { origin, base, manage: `${origin}${pathname.split("/s/")[0]}/api/management/v1`, token };
  let missed = 0;
  const began = performance.now();
  for (const { name, send } of sends) {
    await setTimeout(QUIET_MS);
    for (const pid of Object.values(pidsOf(stack))) writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
    const probe = await beginProbe({ address: `${origin}/healthz`, pids: pidsOf(stack) });
    const statuses = await send(target);
    await setTimeout(QUIET_MS);
    const { still, peaks: byProcess } = await probe.end();
    const peaks = Object.entries(byProcess);
    const isKept =
      still <= MAX_STILL_MS &&
      peaks.every(([process, { own, children }]) => {
        const most = MAX_MB[process as keyof typeof MAX_MB];
        return own <= most.own && own + children <= most.together;
      });
    if (!isKept) missed += 1;
    const memory = peaks
      .map(([process, { own, children }]) => `${process} ${own.toFixed(0)} + ${children.toFixed(0)} MB`)
      .join(", ");
    const answers = [...Map.groupBy(statuses, String)].map(([status, all]) => `${all.length} x ${status}`).join(", ");
    process.stdout.write(
      `${isKept ? "ok  " : "MISS"} ${still.toFixed(0).padStart(4)} ms still, ${memory}  ${name}: ${answers}\n`,
    );
  }
  process.stdout.write(
    `${missed === 0 ? "ok  " : "MISS"} ${sends.length - missed} of ${sends.length} stand still for at most ${MAX_STILL_MS} ms, within ${MAX_MB.web.own} MB of web, ${MAX_MB.web.together} MB with its child, and ${MAX_MB.pages.together} MB of pages with its child; all took ${((performance.now() - began) / 1000).toFixed(0)} s\n`,
  );
}

const pidsOf = ({ processes }: Stack): Record<string, number> =>
  Object.fromEntries(
    processes.filter(({ name }) => Object.hasOwn(MAX_MB, name)).map(({ name, pid }) => [name, pid() ?? 0]),
  );
