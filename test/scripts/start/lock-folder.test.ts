import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { lockFolder, unlockFolder } from "../../../scripts/start/lock-folder.ts";

const program = `
  const { lockFolder } = await import(process.argv[1]);
  process.stdout.write(String(lockFolder(process.argv[2])));
  setInterval(() => {}, 1000);
`;

function makeFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), "lock-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Another process that takes the folder, and lives on; with what it was told. */
async function takeElsewhere(t: ExecutionContext, folder: string): Promise<{ taker: ChildProcess; told: string }> {
  const module = new URL("../../../scripts/start/lock-folder.ts", import.meta.url).href;
  const taker = spawn(process.execPath, ["--input-type=module", "-e", program, module, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.teardown(() => taker.kill("SIGKILL"));
  const [told] = await once(taker.stdout, "data");
  return { taker, told: String(told) };
}

async function end(taker: ChildProcess): Promise<void> {
  taker.kill("SIGKILL");
  await once(taker, "exit");
}

test("a folder that nobody has is taken", (t) => {
  const folder = makeFolder(t);
  t.is(lockFolder(folder), undefined);
  t.is(readFileSync(join(folder, "lock"), "utf8"), String(process.pid));
});

test("the second taker is told who has the folder, and takes nothing", async (t) => {
  const folder = makeFolder(t);
  const { taker, told } = await takeElsewhere(t, folder);
  t.is(told, "undefined");
  t.is(lockFolder(folder), taker.pid);
  t.is(lockFolder(folder), taker.pid);
  t.is(readFileSync(join(folder, "lock"), "utf8"), String(taker.pid));
});

test("another process is told of this one", async (t) => {
  const folder = makeFolder(t);
  lockFolder(folder);
  t.is((await takeElsewhere(t, folder)).told, String(process.pid));
});

test("the folder of a process that was killed is taken over", async (t) => {
  const folder = makeFolder(t);
  const { taker } = await takeElsewhere(t, folder);
  await end(taker);
  t.true(existsSync(join(folder, "lock")));
  t.is(lockFolder(folder), undefined);
  t.is(readFileSync(join(folder, "lock"), "utf8"), String(process.pid));
});

test("a folder that was given back may be taken by another", async (t) => {
  const folder = makeFolder(t);
  lockFolder(folder);
  unlockFolder(folder);
  t.is((await takeElsewhere(t, folder)).told, "undefined");
});

test("giving back a folder that nobody has is no error", (t) => {
  t.notThrows(() => unlockFolder(makeFolder(t)));
});

test("a folder that is not there cannot be taken", (t) => {
  t.throws(() => lockFolder(join(makeFolder(t), "nowhere")), { code: "ENOENT" });
});

test("a lock that names nobody is taken over", (t) => {
  const folder = makeFolder(t);
  writeFileSync(join(folder, "lock"), "");
  t.is(lockFolder(folder), undefined);
});
