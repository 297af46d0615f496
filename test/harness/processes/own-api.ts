import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { freePort } from "../../../scripts/start/ports.ts";
import { supervise } from "../../../scripts/start/supervise.ts";
import { eventually } from "../eventually.ts";
import type { Shelfwire } from "../shelfwire.ts";
import type { ProcessEnvironment } from "../threads/host.ts";

/** The API of a running Shelfwire in a separate process with generous time limits, to measure its memory on its own. */
export interface OwnApi {
  /** Address of the demo store's public interface. */
  base: string;
  origin: string;
  /** Megabytes that are currently resident, and the maximum so far if the system reports it. */
  memory(): { resident: number; peak: number };
  close(): Promise<void>;
}

export async function openOwnApi({ environment, base }: Shelfwire, more: ProcessEnvironment = {}): Promise<OwnApi> {
  const port = await freePort();
  const api = supervise({
    name: "web",
    entry: "test/harness/processes/patient-api.ts",
    environment: { ...environment, ...more, PORT: String(port) },
    log: () => {},
    output: () => {},
  });
  const origin = `http://127.0.0.1:${port}`;
  await eventually("the API is ready", async () => (await fetch(`${origin}/readyz`)).ok);
  return {
    origin,
    base: `${origin}${new URL(base).pathname}`,
    memory: () => memoryOf(api.pid() ?? 0),
    close: () => api.stop(),
  };
}

function memoryOf(pid: number): { resident: number; peak: number } {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) {
    const resident = Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
    return { resident, peak: resident };
  }
  const status = readFileSync(file, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
  return { resident: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}
