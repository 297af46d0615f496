import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { System } from "../../../queues/system.ts";
import { admin } from "../../../scripts/operate/admin/commands.ts";
import type { Program } from "../../../scripts/operate/admin/parse-call.ts";
import { runCommandLine } from "../../../scripts/operate/admin/run-command-line.ts";
import type { Databases } from "../databases/databases.ts";
import { REACH_PATIENTLY } from "../patience.ts";

/** How a command ended, and its output. */
export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Runs an `npm run admin` command line in this process, against a test's system. */
export const runAdminHere = (system: System, args: readonly string[]): Promise<Ended> => runHere(admin, system, args);

/** Runs a program's command line in this process, against a test's system, which is much cheaper than in a separate process. */
export async function runHere(program: Program, system: System, args: readonly string[]): Promise<Ended> {
  const ended: Ended = { code: 0, out: "", err: "" };
  ended.code = await runCommandLine(args, program, {
    print(text) {
      ended.out += `${text}\n`;
    },
    complain(text) {
      ended.err += `${text}\n`;
    },
    isTerminal: false,
    openDatabases: () => system,
    reach: async (_, needsRedis) => {
      if (needsRedis) await system.whenReady();
      return [];
    },
    close: async () => {},
  });
  return ended;
}

/** Runs `npm run admin -- ...` as an operator does, against a test's databases. */
export async function runAdmin(
  { redis, mongoUrl, database }: Databases,
  args: readonly string[],
  further: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const child = spawn(process.execPath, ["--import", REACH_PATIENTLY, "scripts/operate/admin.ts", ...args], {
    env: { ...process.env, ...further, REDIS_URL: redis.url, MONGODB_URL: mongoUrl, MONGODB_DATABASE: database },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number>((done) => child.once("exit", (code) => done(code ?? -1)));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}
