import type { SharedWorker } from "ava/plugin";
import { openLog } from "../../../runtime/log.ts";
import "../processes/check-patiently.ts";
import "../processes/order-patiently.ts";
import { takeRedis } from "../databases/redis-pool.ts";
import { openShelfwire } from "../shelfwire.ts";
import type { Drawn, DrawOrder } from "../truth/redraw.ts";
import { hostWith } from "./host.ts";
import type { Answer, Place, Request } from "./stack-requests.ts";

/** Opens the stacks that files request, with only the resources a Shelfwire needs, because many stacks run here at once. */
const host = hostWith((name, { LOG_LEVEL = "silent" }) => openLog(name, LOG_LEVEL), { areFirstTogether: true });

type Received = SharedWorker.ReceivedMessage<Request | Answer>;

interface Opened extends Place {
  findStale?(): Promise<string[]>;
  redraw?(orders: readonly DrawOrder[]): Promise<(Drawn | undefined)[]>;
  close(how?: "kill" | "stop"): Promise<void>;
}

/**
 * The program of AVA's shared worker: opens stacks and processes for the files that request them, and closes them after the
 * file's last test. This way every module is loaded and compiled once per run, and not once per file.
 */
export default async function serveStacks({ negotiateProtocol }: SharedWorker.FactoryOptions): Promise<void> {
  const protocol = negotiateProtocol<Request | Answer>(["ava-4"]).ready();
  const opened = new Map<number, Opened>();
  let lastId = 0;

  async function carryOut({ testWorker, data }: Received): Promise<Answer> {
    const request = data as Request;
    if ("audit" in request) return { id: request.audit, stale: (await opened.get(request.audit)?.findStale?.()) ?? [] };
    if ("draw" in request) {
      const drawn = await opened.get(request.of)?.redraw?.(request.draw);
      return { id: request.of, ...(drawn && { drawn }) };
    }
    if ("close" in request) {
      const one = opened.get(request.close);
      opened.delete(request.close);
      await one?.close(request.how);
      return { id: request.close };
    }
    const { origin, port, redis, ...one } = await open(request);
    lastId += 1;
    const id = lastId;
    opened.set(id, one);
    testWorker.teardown(async () => void (opened.delete(id) && (await one.close())));
    return {
      id,
      ...(origin !== undefined && { origin }),
      ...(port !== undefined && { port }),
      ...(redis && { redis }),
    };
  }

  for await (const message of protocol.subscribe()) {
    carryOut(message).then(
      (answer) => message.reply(answer),
      (error: Error) => message.reply({ error: error.message }),
    );
  }
}

async function open(request: Extract<Request, { open: unknown }>): Promise<Opened> {
  if (request.open === "redis") return openRedis();
  if (request.open === "api") return host.openApi(request.environment, request.patienceMs);
  if (request.open !== "stack") return host.openWorker(request.open, request.environment, request.isOfFirst);
  const order = { ...request.order, openRedis: takeRedis };
  const { origin, assertNothingStale, assertStatementsMatchGlass, close } = await openShelfwire(order, host);
  const findStale = async () => {
    await assertNothingStale();
    await assertStatementsMatchGlass();
    return [];
  };
  return { origin, close, findStale };
}

async function openRedis(): Promise<Opened> {
  const { url, description, pid, release, ...server } = await takeRedis();
  return {
    redis: { url, description, pid: pid() },
    close: (how) => (how === undefined ? release() : server[how]()),
  };
}
