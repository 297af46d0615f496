import { type ChildProcess, spawn } from "node:child_process";
import { PORT_TAKEN_CODE } from "../../runtime/end-where-refused.ts";
import { overridden } from "../../runtime/secret-files.ts";

/** A process of Shelfwire that is restarted whenever it ends, unless its port is taken. */
export interface Supervised {
  name: string;
  pid(): number | undefined;
  /** Kills the process, as a crash would. The process is then restarted. */
  kill(): void;
  /** Shuts the process down cleanly, without a restart. */
  stop(): Promise<void>;
}

const KEEP_COMPILED = new URL("./keep-compiled.mjs", import.meta.url).href;
const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 5_000;
/** After a process has run this long, its backoff is reset. */
const STABLE_AFTER_MS = 10_000;
const STOP_TIMEOUT_MS = 30_000;

/** Makes the C library return freed memory to the system (docs/operations/scale.md#memory). */
export const allocator = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

interface Options {
  name: string;
  /** Path of the TypeScript entry, relative to the project's root. */
  entry: string;
  environment: NodeJS.ProcessEnv;
  /** Called with a line when the process ends and is restarted. */
  log(text: string): void;
  /** Called with the process's log lines, which by default go to this process's standard output. */
  output?(line: Buffer): void;
  /** Called when the process ended because another process listens on its port. */
  onPortTaken?(): void;
}

/** Starts a process and keeps it running until it is stopped. */
export function supervise({ name, entry, environment, log, output, onPortTaken }: Options): Supervised {
  let child: ChildProcess | undefined;
  let stopped = false;
  let backoff = FIRST_BACKOFF_MS;
  let ended = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    const startedAt = performance.now();
    // The closed IPC channel ends the child once this process has exited. The child's own process group leaves Ctrl-C to this
    // process.
    child = spawn(process.execPath, ["--enable-source-maps", `--import=${KEEP_COMPILED}`, entry], {
      env: { ...allocator, ...overridden(process.env, environment) },
      stdio: ["ignore", output ? "pipe" : "inherit", "inherit", "ipc"],
      detached: true,
    });
    if (output) child.stdout?.on("data", output);
    ended = new Promise((resolve) => {
      child?.once("exit", (code, signal) => {
        resolve();
        if (stopped) return;
        if (code === PORT_TAKEN_CODE) {
          if (onPortTaken) onPortTaken();
          else log(`${name} cannot listen: its port is in use`);
          return;
        }
        if (performance.now() - startedAt > STABLE_AFTER_MS) backoff = FIRST_BACKOFF_MS;
        log(`${name} exited (${signal ?? `code ${code}`}) and is restarted in ${backoff} ms`);
        timer = setTimeout(start, backoff);
        backoff = Math.min(backoff * 2, LAST_BACKOFF_MS);
      });
    });
  }

  start();
  return {
    name,
    pid: () => child?.pid,
    kill: () => void child?.kill("SIGKILL"),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      child?.kill("SIGTERM");
      const late = setTimeout(() => child?.kill("SIGKILL"), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(late);
    },
  };
}
