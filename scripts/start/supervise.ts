import { type ChildProcess, spawn } from "node:child_process";

/** A process of the product, started again whenever it dies. */
export interface Supervised {
  name: string;
  pid(): number | undefined;
  /** Ends it at once, as a crash would; it is started again. */
  kill(): void;
  /** Ends it for good, in its own time. */
  stop(): Promise<void>;
}

const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 5_000;
/** A process that lived so long begins its backoff anew. */
const STABLE_AFTER_MS = 10_000;
const STOP_WITHIN_MS = 30_000;

interface Options {
  name: string;
  /** The TypeScript entry, from the project's root. */
  entry: string;
  environment: NodeJS.ProcessEnv;
  /** Hears what happens to it. */
  log(text: string): void;
  /** Takes its log lines; they go to this process's standard output where absent. */
  output?(line: Buffer): void;
}

/** Starts a process and keeps it running until it is stopped. */
export function supervise({ name, entry, environment, log, output }: Options): Supervised {
  let child: ChildProcess | undefined;
  let stopped = false;
  let backoff = FIRST_BACKOFF_MS;
  let ended = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    const startedAt = performance.now();
    // A channel tells the child when this process is gone; a group of its own keeps Ctrl-C for this process.
    child = spawn(process.execPath, ["--enable-source-maps", entry], {
      env: { ...process.env, ...environment },
      stdio: ["ignore", output ? "pipe" : "inherit", "inherit", "ipc"],
      detached: true,
    });
    if (output) child.stdout?.on("data", output);
    ended = new Promise((resolve) => {
      child?.once("exit", (code, signal) => {
        resolve();
        if (stopped) return;
        if (performance.now() - startedAt > STABLE_AFTER_MS) backoff = FIRST_BACKOFF_MS;
        log(`${name} ended (${signal ?? `code ${code}`}); it is started again in ${backoff} ms`);
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
      const late = setTimeout(() => child?.kill("SIGKILL"), STOP_WITHIN_MS);
      await ended;
      clearTimeout(late);
    },
  };
}
