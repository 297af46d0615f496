import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { threadId } from "node:worker_threads";

interface PortRange {
  first: number;
  last: number;
}

/** The file in which Linux states the range of ports for outgoing connections. */
const EPHEMERAL_FILE = "/proc/sys/net/ipv4/ip_local_port_range";
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 65_535;
const MIN_PORTS = 1_000;
const FALLBACK: PortRange = { first: 20_000, last: 30_000 };
/** A thread tries only every 16th port, because a port that another thread has chosen but not yet used looks free. */
const STRIDE = 16;
const MAX_STARTS = 5;
const RETRY_AFTER_MS = 50;

/** Thrown if a server could not start because another process listens on its port. */
export class PortTakenError extends Error {
  override readonly name = "PortTakenError";
}

/**
 * Returns the ports outside the kernel's ephemeral range. An outgoing connection may take a port inside it between the check
 * that the port is free and the start of a server on it, or while a killed server is restarted.
 */
export function portsOutside(ephemeral: string | undefined): PortRange {
  const [low = 0, high = 0] = (ephemeral ?? "").trim().split(/\s+/).map(Number);
  if (!(low > 0 && high >= low)) return FALLBACK;
  const below = { first: LOWEST_PORT, last: low - 1 };
  const above = { first: Math.max(high + 1, LOWEST_PORT), last: HIGHEST_PORT };
  return [below, above].find(({ first, last }) => last - first >= MIN_PORTS) ?? FALLBACK;
}

const range = portsOutside(existsSync(EPHEMERAL_FILE) ? readFileSync(EPHEMERAL_FILE, "utf8") : undefined);

const places = Math.floor((range.last - range.first + 1) / STRIDE);
let place = Math.floor(Math.random() * places);

/** Returns a port on which no process listens. Each thread begins at random, since other processes choose ports as well. */
export async function freePort(): Promise<number> {
  for (let draw = 0; draw < places; draw += 1) {
    place = (place + 1) % places;
    const port = range.first + place * STRIDE + ((process.pid + threadId) % STRIDE);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port between ${range.first} and ${range.last} is free`);
}

/** Whether no process listens on a port, at any address. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}

/**
 * Starts a server on a free port, for a server that cannot report its own port. If another process takes the port first, tries
 * another port.
 */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (!(error instanceof PortTakenError) || count === MAX_STARTS) throw error;
      await setTimeout(RETRY_AFTER_MS);
    }
  }
}
