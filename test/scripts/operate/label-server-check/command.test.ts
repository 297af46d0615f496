import { execFile } from "node:child_process";
import test from "ava";
import { openLabelServer } from "../../../../scripts/label-server/process.ts";
import type { Verdict } from "../../../../scripts/operate/label-server-check/verdict.ts";
import { freePort } from "../../../../scripts/start/ports.ts";
import { SECRET } from "./emulator.ts";

const run = (...words: string[]) =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) =>
    execFile(process.execPath, ["scripts/operate/label-server-check.ts", ...words], (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    ),
  );

for (const [words, reason] of [
  [["ftp://example.com", "--secret", SECRET], /URL must be an http address, not "ftp:\/\/example.com"/],
  [["http://127.0.0.1:1"], /--secret is required/],
  [["http://127.0.0.1:1", "--secret", SECRET, "--listen", "70000"], /--listen must be a port from 1 to 65535/],
  [["http://127.0.0.1:1", "--secret", SECRET, "--size", "big"], /--size must have the form 296x128, not "big"/],
  [["http://127.0.0.1:1", "--secret", SECRET, "--store", "main"], /--store must have the form t\/demo\/s\/main/],
] as const) {
  test(`exit code 2 for ${words.join(" ")}`, async (t) => {
    const { code, out, err } = await run(...words);
    t.deepEqual([code, out], [2, ""]);
    t.regex(err, reason);
  });
}

test("the emulated label server passes the command, and a label server with another secret fails it", async (t) => {
  const port = await freePort();
  const reportUrl = `http://127.0.0.1:${port}/label-server/v1/reports`;
  const labelServer = await openLabelServer({ port: 0, host: "127.0.0.1", secret: SECRET, reportUrl, airTimeMs: 0 });
  t.teardown(labelServer.close);
  const url = `http://127.0.0.1:${labelServer.port}`;
  const brief = ["--listen", String(port), "--settle", "1", "--away", "1", "--json"];
  const check = () => run(url, "--secret", SECRET, "--rig", `${url}/emulator`, ...brief);
  let passed = await check();
  // The emulator is in this thread, so if the thread is blocked for seconds, a late response breaks a rule.
  for (let turn = 1; passed.code === 1 && turn < 4; turn += 1) passed = await check();
  t.deepEqual([passed.code, passed.err], [0, ""]);
  const verdicts: Verdict[] = JSON.parse(passed.out).verdicts;
  t.true(verdicts.some(({ result }) => result === "passed"));
  t.false(verdicts.some(({ result }) => result === "failed"));

  const failed = await run(url, "--secret", "another", ...brief);
  t.is(failed.code, 1);
  const first = (JSON.parse(failed.out).verdicts as Verdict[]).find(({ rule }) => rule === "picture-accepted");
  t.like(first, { result: "failed", expected: "202" });
});
