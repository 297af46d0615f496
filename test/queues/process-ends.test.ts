import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import test, { type ExecutionContext } from "ava";
import { PORT_TAKEN_CODE } from "../../runtime/end-where-refused.ts";

/** How a process ends: orderly or not, with which exit code and with which report. Each test starts separate processes. */
const PROGRAM = fileURLToPath(new URL("./ending-program.ts", import.meta.url));
const [INFO, WARN, ERROR, FATAL] = [30, 40, 50, 60];

interface Line {
  said?: string;
  level?: number;
  msg?: string;
}

async function start(t: ExecutionContext, what: string, environment: NodeJS.ProcessEnv = {}) {
  const child: ChildProcess = fork(PROGRAM, [what], { silent: true, env: { ...process.env, ...environment } });
  t.teardown(() => child.kill("SIGKILL"));
  const lines: Line[] = [];
  const faults: string[] = [];
  const waiting: (() => void)[] = [];
  const { stdout, stderr } = child as ChildProcess & { stdout: Readable; stderr: Readable };
  stderr.on("data", (data) => void faults.push(String(data)));
  let rest = "";
  stdout.setEncoding("utf8").on("data", (part: string) => {
    const [...whole] = `${rest}${part}`.split("\n");
    rest = whole.pop() ?? "";
    lines.push(...whole.map((line) => JSON.parse(line)));
    for (const look of waiting.splice(0)) look();
  });
  // A child whose parent has closed the channel never receives the close event, only the exit.
  const ended = Promise.all([once(child, "exit"), once(stdout, "end"), once(stderr, "end")]).then(
    ([[exitCode]]) => exitCode as number | null,
  );
  const heard = async (what: string, count = 1): Promise<void> => {
    while (lines.filter(({ said }) => said === what).length < count)
      await Promise.race([
        new Promise<void>((resolve) => waiting.push(resolve)),
        ended.then(() => Promise.reject(new Error(`it ended without "${what}"`))),
      ]);
  };
  const tick = async (ms: number, count: number) => {
    child.send({ tick: ms });
    await heard("ticked", count);
  };
  const logged = () => lines.filter(({ level }) => level !== undefined);
  const said = () => lines.flatMap(({ said }) => said ?? []);
  return { child, ended, heard, tick, logged, said, errors: () => faults.join("") };
}

for (const signal of ["SIGTERM", "SIGINT"] as const)
  test(`at ${signal} a process closes once, however often it is signalled, and exits with code 0`, async (t) => {
    const { child, heard, ended, logged, said } = await start(t, "closes");
    await heard("ready");
    child.kill(signal);
    child.kill(signal);
    t.is(await ended, 0);
    t.is(said().filter((text) => text === "closed").length, 1);
    t.like(logged(), { length: 1, 0: { level: INFO, reason: signal, msg: "closing" } });
  });

test("a process without its launcher also closes, and logs a warning", async (t) => {
  const { child, heard, ended, logged, said } = await start(t, "closes");
  await heard("ready");
  child.disconnect();
  t.is(await ended, 0);
  t.true(said().includes("closed"));
  t.like(logged(), { length: 1, 0: { level: WARN, reason: "the launcher has exited", msg: "closing" } });
});

test("a process whose shutdown fails says why and ends", async (t) => {
  const { child, heard, ended, logged } = await start(t, "fails");
  await heard("ready");
  child.kill("SIGTERM");
  t.is(await ended, 0);
  t.like(logged()[1], { level: ERROR, error: "a part is stuck", msg: "shutdown failed" });
});

test("a process whose shutdown hangs ends after 19 s, since platforms kill it after 30", async (t) => {
  const { child, heard, ended, tick, logged } = await start(t, "hangs");
  await heard("ready");
  child.kill("SIGTERM");
  await heard("is closing");
  await tick(18_999, 1);
  child.kill("SIGINT");
  await tick(0, 2);
  t.is(child.exitCode, null);
  child.send({ tick: 1 });
  t.is(await ended, 0);
  t.like(logged().at(-1), { level: WARN, seconds: 19, msg: "shutdown did not complete in time" });
  t.is(logged().length, 2);
});

test("a process reads its settings, or lists each invalid one and exits with code 1", async (t) => {
  const good = await start(t, "settings", { RESULT_TTL: "60" });
  await good.heard("read 60");
  good.child.disconnect();
  t.is(await good.ended, 0);
  const bad = await start(t, "settings", { RESULT_TTL: "soon" });
  t.is(await bad.ended, 1);
  t.regex(bad.errors(), /RESULT_TTL.*soon.*\n$/);
  t.deepEqual(bad.said(), []);
});

test("a process that received a copy of another process's launcher channel reports it and exits with code 1", async (t) => {
  const child = spawn(process.execPath, [PROGRAM, "settings"], {
    env: { ...process.env, RESULT_TTL: "60", NODE_CHANNEL_FD: "3" },
  });
  t.teardown(() => child.kill("SIGKILL"));
  const [faults, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  t.is(code, 1);
  t.regex(faults, /^NODE_CHANNEL_FD is set to the descriptor 3, .* remove it from the environment\n$/m);
});

test("other errors are not reported as settings errors", async (t) => {
  const { ended, errors } = await start(t, "other error");
  t.not(await ended, 0);
  t.regex(errors(), /Error: no environment\n\s+at /);
});

test("a process whose port is in use names the setting to change and has its own exit code", async (t) => {
  const { ended, errors } = await start(t, "port taken");
  t.is(await ended, PORT_TAKEN_CODE);
  t.is(errors(), "Port 80 is in use: set PORT to another one.\n");
  const other = await start(t, "port refused");
  t.is(await other.ended, 1);
  t.regex(other.errors(), /Error: no right\n\s+at /);
});

test("a process ends when MongoDB's epoch has changed since its start", async (t) => {
  const { ended, heard, tick, logged, child } = await start(t, "new epoch");
  await heard("read 7");
  await tick(4_999, 1);
  await tick(1, 2);
  await heard("read undefined");
  child.send({ tick: 5_000 });
  t.is(await ended, 1);
  t.like(logged().at(-1), { level: FATAL, began: 7, present: 8 });
  const restored = await start(t, "restored before");
  t.is(await restored.ended, 1);
});

test("a process continues if the epoch is unchanged or unreadable, and the check keeps no process alive", async (t) => {
  const { ended, heard, tick, child, logged } = await start(t, "same epoch");
  await heard("read 7");
  await tick(5_000, 1);
  await heard("read undefined");
  await tick(5_000, 2);
  await heard("read 7", 2);
  child.disconnect();
  t.is(await ended, 0);
  t.false(logged().some(({ level }) => level === FATAL));
});
