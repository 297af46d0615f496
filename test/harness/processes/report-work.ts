import { createServer } from "node:http";
import { isMainThread } from "node:worker_threads";
import { type ComputingCounts, computingCounts } from "../../../schemas/computing-counts.ts";

/** The work that a process does for callers between two requests. */
export interface ReportedWork {
  total: ComputingCounts;
  /** The maximum of each kind in one turn of the event loop. Other calls are answered between two turns. */
  inOneTurn: ComputingCounts;
}

/**
 * Reports, at WORK_PORT, the work of the process into which this file is loaded (`--import`): a POST starts the count, and the
 * next GET ends it.
 */
const { WORK_PORT = "" } = process.env;
const none = (): ComputingCounts => less(computingCounts(), computingCounts());

function less(counts: ComputingCounts, before: ComputingCounts): ComputingCounts {
  const differences = Object.entries(counts).map(([name, count]) => [
    name,
    count - before[name as keyof ComputingCounts],
  ]);
  return Object.fromEntries(differences) as ComputingCounts;
}

if (isMainThread && WORK_PORT !== "") {
  let began = computingCounts();
  let lastTurn = began;
  let inOneTurn = none();
  let isCounting = false;
  const countTurn = () => {
    const now = computingCounts();
    const ofTurn = less(now, lastTurn);
    for (const [name, count] of Object.entries(ofTurn) as [keyof ComputingCounts, number][])
      inOneTurn[name] = Math.max(inOneTurn[name], count);
    lastTurn = now;
    if (isCounting) setImmediate(countTurn);
  };
  const server = createServer(({ method }, response) => {
    isCounting = method === "POST";
    if (isCounting) {
      began = computingCounts();
      lastTurn = began;
      inOneTurn = none();
      countTurn();
    }
    response.end(JSON.stringify({ total: less(computingCounts(), began), inOneTurn } satisfies ReportedWork));
  });
  server.listen(Number(WORK_PORT), "127.0.0.1").unref();
}
