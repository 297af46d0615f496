import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { parentPort, Worker, workerData } from "node:worker_threads";

/** Another caller, which makes calls one after another and reports its observations when it ends. */
export interface Probe {
  end(): Promise<Seen>;
}

interface Seen {
  /** The probe's longest wait for a response, in milliseconds. */
  still: number;
  /** The peak memory of each process by itself, and of its children together, in MB. */
  peaks: Record<string, { own: number; children: number }>;
}

/** The address to call, and the processes by their names. */
interface Watched {
  address: string;
  pids: Record<string, number>;
}

const PROBE_INTERVAL_MS = 5;

/** Starts a probe in its own thread. Otherwise the bench's own long steps, such as a large body, would count as blocking. */
export async function beginProbe(watched: Watched): Promise<Probe> {
  const thread = new Worker(new URL(import.meta.url), { workerData: watched });
  await once(thread, "message");
  return {
    end: () =>
      new Promise((resolve, reject) => {
        thread.once("message", resolve).once("error", reject);
        thread.postMessage("end");
      }),
  };
}

async function probe({ address, pids }: Watched): Promise<Seen> {
  let isOver = false;
  parentPort?.once("message", () => {
    isOver = true;
  });
  const seen: Seen = { still: 0, peaks: {} };
  // The first call of a thread includes loading the HTTP client.
  await (await fetch(address)).arrayBuffer();
  parentPort?.postMessage("begun");
  while (!isOver) {
    const began = performance.now();
    await (await fetch(address)).arrayBuffer();
    seen.still = Math.max(seen.still, performance.now() - began);
    for (const [name, pid] of Object.entries(pids)) {
      const { children = 0 } = seen.peaks[name] ?? {};
      seen.peaks[name] = { own: ownPeakOf(pid), children: Math.max(children, peakOfChildren(pid)) };
    }
    await setTimeout(PROBE_INTERVAL_MS);
  }
  return seen;
}

const ownPeakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(contentOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;

/** Returns the sum of the peaks of a process's descendants: an upper bound for what they held at one time. */
const peakOfChildren = (pid: number): number =>
  childrenOf(pid).reduce((sum, child) => sum + ownPeakOf(child) + peakOfChildren(child), 0);

function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) =>
    contentOf(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // The process has ended meanwhile.
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // The file's process has ended meanwhile.
  }
}

if (workerData !== null && parentPort !== null) parentPort.postMessage(await probe(workerData as Watched));
