import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { servedStack } from "../harness/served-stack.ts";
import { codeBlock } from "./commands/command-blocks.ts";

/** How many calls each attempt makes: a busy machine may make a few calls too slowly to exceed the rate. */
const CALLS = [4, 8, 16, 32];
const guide = readFileSync(new URL("../../docs/integrators/calls.md", import.meta.url), "utf8");
const shelfwire = servedStack({ workers: [], settings: { RATE_LIMIT: "1", RATE_BURST: "2" } });

const programs = [
  { language: "typescript", command: process.execPath, file: "waiting.ts" },
  { language: "py", command: "python3", file: "waiting.py" },
];
for (const { language, command, file } of programs)
  test(`the guide's program in ${language} completes each call, and waits before calls beyond the rate`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "shelfwire-waiting-"));
    t.teardown(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, file), codeBlock(guide, language, "Too many calls"));
    const env = { ...process.env, STORE: shelfwire.base, TOKEN: await shelfwire.token({ subject: language }) };
    for (const calls of CALLS) {
      const ran = await promisify(execFile)(command, [join(folder, file), String(calls)], { env, timeout: 300_000 });
      const [, answered, waits] = /^(\d+) answered, after (\d+) waits\n$/.exec(ran.stdout) ?? [];
      t.is(Number(answered), calls);
      if (Number(waits) > 0) return;
    }
    t.fail("the rate was never reached");
  });
