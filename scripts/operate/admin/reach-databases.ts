import { setTimeout } from "node:timers/promises";
import type { System, SystemSettings } from "../../../queues/system.ts";
import { assertReachable } from "../../../records/client.ts";
import { Refusal } from "./command.ts";

/** An operator who waits for longer takes the command for hung. */
const REACH_MS = 8_000;
const POLL_INTERVAL_MS = 50;

/**
 * Waits until both databases answer. Throws a Refusal that names the setting, its host and the reason where one of them
 * does not within `reachMs`.
 */
export async function reachDatabases(system: System, settings: SystemSettings, reachMs = REACH_MS): Promise<void> {
  const faults = (await Promise.all([databaseFault(settings, reachMs), redisFault(system, settings, reachMs)])).filter(
    (fault) => fault !== undefined,
  );
  if (faults.length > 0) throw new Refusal(faults.join("\n"));
}

const databaseFault = ({ MONGODB_URL }: SystemSettings, reachMs: number): Promise<string | undefined> =>
  assertReachable(MONGODB_URL, reachMs).then(
    () => undefined,
    ({ message }: Error) => faultText("MONGODB_URL", "MongoDB", MONGODB_URL, message),
  );

async function redisFault({ redis }: System, { REDIS_URL }: SystemSettings, reachMs: number) {
  let reason = "no answer";
  const note = (error: Error) => {
    reason = error.message || reason;
  };
  redis.on("error", note);
  const until = performance.now() + reachMs;
  while (redis.status !== "ready" && performance.now() < until) await setTimeout(POLL_INTERVAL_MS);
  redis.off("error", note);
  return redis.status === "ready" ? undefined : faultText("REDIS_URL", "Redis", REDIS_URL, reason);
}

const faultText = (setting: string, what: string, address: string, reason: string): string =>
  `${setting}: ${what} at ${hostsOf(address)} cannot be reached: ${reason}`;

/** The hosts of an address, without its user and password. `URL` reads no list of hosts. */
function hostsOf(address: string): string {
  const [authority = ""] = (address.split("://")[1] ?? "").split(/[/?]/);
  return authority.slice(authority.lastIndexOf("@") + 1);
}
