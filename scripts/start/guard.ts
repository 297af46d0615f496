import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

/**
 * Its arguments are the children that run. Reads `+ PID` for another child and `- PID` for a child that has ended, until the pipe
 * closes, and then kills the children that still run.
 */
const PROGRAM = `
pids="$*"
while read sign pid; do
  rest=
  for one in $pids; do [ "$one" = "$pid" ] || rest="$rest $one"; done
  pids=$rest
  [ "$sign" = - ] || pids="$pids $pid"
done
kill $pids 2> /dev/null`;

/** What the guardian needs to know about a child. */
interface Guarded {
  pid?: number | undefined;
  once(event: "exit", ended: () => void): unknown;
}

let guardian: ChildProcess | undefined;
/** The guarded children that have not ended. */
const running = new Set<number>();

/**
 * Ends a child once this process has exited, however it ended. A shell reads the ids of children from a pipe. A child that has
 * ended is forgotten, because the system may give its id to any other process.
 */
export function guard(child: Guarded): void {
  const { pid } = child;
  if (pid === undefined) return;
  running.add(pid);
  if (guardian) say(`+ ${pid}`);
  else openGuardian();
  child.once("exit", () => {
    running.delete(pid);
    say(`- ${pid}`);
  });
}

/**
 * Starts the shell, which knows the running children even if this process is killed at this moment. If the shell is killed,
 * another one replaces it.
 */
function openGuardian(): void {
  guardian = spawn("sh", ["-c", PROGRAM, "sh", ...[...running].map(String)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guardian.unref();
  const pipe = guardian.stdin as Socket;
  pipe.unref();
  // The shell has been killed, which its exit reports.
  pipe.on("error", () => undefined);
  guardian.once("exit", () => {
    guardian = undefined;
    if (running.size > 0) openGuardian();
  });
}

function say(line: string): void {
  guardian?.stdin?.write(`${line}\n`);
}
