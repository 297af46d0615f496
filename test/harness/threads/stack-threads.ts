import { availableParallelism } from "node:os";
import test from "ava";
import { registerSharedWorker } from "ava/plugin";
import { onFreePort } from "../../../scripts/start/ports.ts";
import type { Server } from "../../../scripts/start/servers.ts";
import type { TestRedis } from "../databases/redis-pool.ts";
import type { Host } from "./host.ts";
import type { Answer, Request } from "./stack-requests.ts";

/** One thread per core: a single thread would delay the files that wait for it. Each thread compiles every module again. */
const THREADS = Math.max(2, Math.min(4, availableParallelism()));

let opened: ReturnType<typeof open> | undefined;

/** Returns the thread that serves the stacks of this file and of other files. Each file has its own connection to it. */
export const stackThread = () => {
  if (opened?.file !== test.meta.file) opened = open(test.meta.file);
  return opened;
};

/** Files that stop, hold or flood their stacks have a thread of their own, since they would slow down the others. */
const OWN_THREAD = "/test/faults/";

/** `npm run mutate` switches code in the tests' thread, so everything must run there. */
const hasOwnThread = () => test.meta.file.includes(OWN_THREAD) || process.env.MUTATION_PLAN !== undefined;

/** Opens the API and the workers of this file's stacks. */
export const hostOfFile = async (): Promise<Host> =>
  hasOwnThread() ? (await import("./host.ts")).thisThread : stackThread().host;

/** Opens an empty Redis for this file; another file may have used it before, except in tests of faults. */
export async function redisOfFile(): Promise<Server | TestRedis> {
  if (!hasOwnThread()) return stackThread().openRedis();
  // Loaded here, since it loads the clients of both databases, which most files do not need.
  const { startRedis } = await import("../../../scripts/start/servers.ts");
  return onFreePort((port) => startRedis(port));
}

function open(file: string) {
  const index = [...file].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % THREADS;
  const server = registerSharedWorker({
    // AVA has one connection for each address; the fragment is not part of the program's address.
    filename: new URL(`./stack-server.ts?${index}#${encodeURIComponent(file)}`, import.meta.url),
    supportedProtocols: ["ava-4"],
  });

  async function ask(request: Request): Promise<Exclude<Answer, { error: string }>> {
    await server.available;
    for await (const { data } of server.publish(request).replies()) {
      const answer = data as Answer;
      if ("error" in answer) throw new Error(answer.error);
      return answer;
    }
    throw new Error("the thread that serves stacks did not respond");
  }

  const close = (id: number) => async () => void (await ask({ close: id }));
  const host: Host = {
    async openApi(environment, patienceMs) {
      const { id, port = 0 } = await ask({ open: "api", environment, ...(patienceMs !== undefined && { patienceMs }) });
      return { port, close: close(id) };
    },
    async openWorker(name, environment, isOfFirst) {
      const { id } = await ask({ open: name, environment, ...(isOfFirst !== undefined && { isOfFirst }) });
      return {
        findStale: async () => (await ask({ audit: id })).stale ?? [],
        redraw: async (draw) => (await ask({ draw, of: id })).drawn ?? [],
        close: close(id),
      };
    },
  };

  async function openRedis(): Promise<TestRedis> {
    const { id, redis } = await ask({ open: "redis" });
    if (redis === undefined) throw new Error("the thread that serves stacks did not open a Redis");
    const end = (how: "kill" | "stop") => async () => void (await ask({ close: id, how }));
    return { ...redis, pid: () => redis.pid, kill: end("kill"), stop: end("stop"), release: close(id) };
  }

  return { file, ask, host, openRedis };
}
