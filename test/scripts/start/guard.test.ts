import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import test, { type ExecutionContext } from "ava";
import { eventually } from "../../harness/eventually.ts";

const PROGRAM = fileURLToPath(new URL("./guarding-program.ts", import.meta.url));

/** Starts the program, and waits until it guards its child. `ended` resolves once both have ended. */
async function start(t: ExecutionContext, args: readonly string[] = [], PATH = process.env.PATH) {
  const program = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...process.env, PATH },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.teardown(() => program.kill("SIGKILL"));
  const ended = once(program.stdout, "end");
  await once(program.stdout, "data");
  return { kill: () => program.kill("SIGKILL"), ended };
}

test("a guarded child ends with its process, even if the process is killed", async (t) => {
  const program = await start(t);
  program.kill();
  await t.notThrowsAsync(program.ended);
});

test("a process that got the id of a guarded child after the child's end is not killed", async (t) => {
  const other = spawn("cat", [], { stdio: ["pipe", "pipe", "inherit"] });
  t.teardown(() => other.kill("SIGKILL"));
  const program = await start(t, [String(other.pid)]);
  program.kill();
  // The guardian kills all children with one command, in the order in which they were guarded.
  await program.ended;
  other.stdin.on("error", () => undefined);
  other.stdin.write("alive");
  const [answer = ""] = await Promise.race([once(other.stdout, "data"), once(other, "exit")]);
  t.is(String(answer), "alive");
});

/**
 * Starts the program with a shell that writes down its id, so that the test can kill a guardian. `run` is how a second guardian
 * runs.
 */
async function startWithShell(t: ExecutionContext, run: string) {
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-guard-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const list = join(folder, "guardians");
  writeFileSync(list, "");
  const shell = `#!/bin/sh\necho $$ >> ${list}\n[ $(wc -l < ${list}) = 1 ] || ${run}\nexec /bin/sh "$@"\n`;
  writeFileSync(join(folder, "sh"), shell, { mode: 0o755 });
  const program = await start(t, [], `${folder}:${process.env.PATH}`);
  const guardians = (count: number) =>
    eventually(`${count} guardians have started`, async () => {
      const pids = readFileSync(list, "utf8").trim().split("\n").map(Number);
      // A third one starts if the second one's end is seen before that of the child that it killed.
      return pids.length >= count && pids[0] !== 0 && pids;
    });
  const [first = 0] = await guardians(1);
  process.kill(first, "SIGKILL");
  await guardians(2);
  return program;
}

test("if a guardian is killed, another one guards the children", async (t) => {
  const program = await startWithShell(t, ":");
  program.kill();
  await t.notThrowsAsync(program.ended);
});

test("a new guardian knows the running children, even if its process is killed before it writes to the pipe", async (t) => {
  let hasEnded = false;
  const program = await startWithShell(t, 'exec /bin/sh "$@" < /dev/null');
  void program.ended.then(() => {
    hasEnded = true;
  });
  program.kill();
  await t.notThrowsAsync(eventually("the child has ended", async () => hasEnded));
});
