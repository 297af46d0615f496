import { createServer } from "node:http";
import { isMainThread } from "node:worker_threads";
import { type WorkCounts, workCounts } from "../../../schemas/work-counts.ts";

/** The work that a process does for callers between two requests. */
export interface ReportedWork {
  total: WorkCounts;
  /** The maximum of each kind in one turn of the event loop. Other calls are answered between two turns. */
  inOneTurn: WorkCounts;
}

/**
 * Loaded into a process before its entry (`--import`), reports that process's work at WORK_PORT: a POST starts the count, and the
 * next GET ends it.
 */
const { WORK_PORT = "" } = process.env;
const none = (): WorkCounts => less(workCounts(), workCounts());

function less(counts: WorkCounts, before: WorkCounts): WorkCounts {
  const differences = Object.entries(counts).map(([name, count]) => [name, count - before[name as keyof WorkCounts]]);
  return Object.fromEntries(differences) as WorkCounts;
}

if (isMainThread && WORK_PORT !== "") {
  let began = workCounts();
  let lastTurn = began;
  let inOneTurn = none();
  let isCounting = false;
  const countTurn = () => {
    const now = workCounts();
    const ofTurn = less(now, lastTurn);
    for (const [name, count] of Object.entries(ofTurn) as [keyof WorkCounts, number][])
      inOneTurn[name] = Math.max(inOneTurn[name], count);
    lastTurn = now;
    if (isCounting) setImmediate(countTurn);
  };
  const server = createServer(({ method }, response) => {
    isCounting = method === "POST";
    if (isCounting) {
      began = workCounts();
      lastTurn = began;
      inOneTurn = none();
      countTurn();
    }
    response.end(JSON.stringify({ total: less(workCounts(), began), inOneTurn } satisfies ReportedWork));
  });
  server.listen(Number(WORK_PORT), "127.0.0.1").unref();
}
