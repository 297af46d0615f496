import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Stores } from "./stores.ts";

/** How a command ended, and what it printed. */
export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Runs `npm run admin -- ...` as an operator does, on a test's stores. */
export async function runAdmin(
  { redis, mongoUrl, database }: Stores,
  args: readonly string[],
  further: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const child = spawn(process.execPath, ["scripts/operate/admin.ts", ...args], {
    env: { ...process.env, ...further, REDIS_URL: redis.url, MONGODB_URL: mongoUrl, MONGODB_DATABASE: database },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number>((done) => child.once("exit", (code) => done(code ?? -1)));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}
