import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { guard } from "../../../scripts/start/guard.ts";

/**
 * A process that guards a child and then says so. With an id as its argument, it first guards a child that had this id and has
 * ended. Its standard output is open until the process and the child have ended.
 */
const [ended] = process.argv.slice(2);
if (ended !== undefined) {
  const child = Object.assign(new EventEmitter(), { pid: Number(ended) });
  guard(child);
  child.emit("exit");
}
guard(spawn("sleep", ["3600"], { stdio: ["ignore", "inherit", "ignore"], detached: true }));
process.stdout.write("guarded\n");
setInterval(() => {}, 3_600_000);
