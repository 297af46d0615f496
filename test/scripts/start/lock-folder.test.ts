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

/** Starts another process that takes the folder and stays alive; returns the process and the holder that it reports. */
async function takeElsewhere(t: ExecutionContext, folder: string): Promise<{ taker: ChildProcess; holder: string }> {
  const module = new URL("../../../scripts/start/lock-folder.ts", import.meta.url).href;
  const taker = spawn(process.execPath, ["--input-type=module", "-e", program, module, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.teardown(() => taker.kill("SIGKILL"));
  const [holder] = await once(taker.stdout, "data");
  return { taker, holder: String(holder) };
}

async function end(taker: ChildProcess): Promise<void> {
  taker.kill("SIGKILL");
  await once(taker, "exit");
}

test("a folder without a lock is locked", (t) => {
  const folder = makeFolder(t);
  t.is(lockFolder(folder), undefined);
  t.is(readFileSync(join(folder, "lock"), "utf8"), String(process.pid));
});

test("the second process gets the holder's ID but no lock", async (t) => {
  const folder = makeFolder(t);
  const { taker, holder } = await takeElsewhere(t, folder);
  t.is(holder, "undefined");
  t.is(lockFolder(folder), taker.pid);
  t.is(lockFolder(folder), taker.pid);
  t.is(readFileSync(join(folder, "lock"), "utf8"), String(taker.pid));
});

test("another process gets this one's ID", async (t) => {
  const folder = makeFolder(t);
  lockFolder(folder);
  t.is((await takeElsewhere(t, folder)).holder, String(process.pid));
});

test("the folder of a killed process is taken over", async (t) => {
  const folder = makeFolder(t);
  const { taker } = await takeElsewhere(t, folder);
  await end(taker);
  t.true(existsSync(join(folder, "lock")));
  t.is(lockFolder(folder), undefined);
  t.is(readFileSync(join(folder, "lock"), "utf8"), String(process.pid));
});

test("another process may lock a released folder", async (t) => {
  const folder = makeFolder(t);
  lockFolder(folder);
  unlockFolder(folder);
  t.is((await takeElsewhere(t, folder)).holder, "undefined");
});

test("unlocking a folder without a lock is not an error", (t) => {
  t.notThrows(() => unlockFolder(makeFolder(t)));
});

test("a missing folder cannot be locked", (t) => {
  t.throws(() => lockFolder(join(makeFolder(t), "nowhere")), { code: "ENOENT" });
});

test("a lock without a process ID is taken over", (t) => {
  const folder = makeFolder(t);
  writeFileSync(join(folder, "lock"), "");
  t.is(lockFolder(folder), undefined);
});
