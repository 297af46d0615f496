import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readCommandLine } from "./command-line.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Static checks: types, style and import law, no unused code, the size of folders and files, plain words, locked checksums,
 * allowed licences, valid workflows. The compiler uses one thread, so several checks run one after another while the tests
 * run in parallel.
 */
const checks = [
  { name: "types (tsc)", entry: "node_modules/typescript/bin/tsc", args: ["-p", ".", "--singleThreaded"] },
  {
    name: "types of what runs in browsers (tsc)",
    entry: "node_modules/typescript/bin/tsc",
    args: ["-p", "api/pages/browser"],
  },
  {
    name: "style and import law (biome)",
    entry: "node_modules/@biomejs/biome/bin/biome",
    args: ["check", "."],
    fix: ["check", "--write", "."],
  },
  { name: "nothing unused (knip)", entry: "node_modules/knip/bin/knip.js", args: [] },
  { name: "at most 16 files side by side", entry: "scripts/develop/checks/check-folders.ts", args: [] },
  { name: "at most 250 lines in a code file", entry: "scripts/develop/checks/check-lengths.ts", args: [] },
  { name: "words of a technical writer", entry: "scripts/develop/checks/check-words.ts", args: [] },
  { name: "checksums of packages (lock file)", entry: "scripts/develop/checks/check-lock.ts", args: [] },
  {
    name: "licences and their notices (npm run notices)",
    entry: "scripts/develop/licences/notices.ts",
    args: ["--check"],
    fix: [],
  },
  { name: "workflows (actionlint)", entry: "scripts/develop/checks/check-workflows.ts", args: [] },
];

/** Runs every check in sequence and returns how many passed and failed. With `fix`, a check repairs what it can. */
export async function runChecks({ fix = false } = {}): Promise<{ passed: number; failed: number }> {
  const count = { passed: 0, failed: 0 };
  for (const { name, entry, args, fix: fixArgs = args } of checks) {
    const isGood = (await run(entry, fix ? fixArgs : args)) === 0;
    count[isGood ? "passed" : "failed"] += 1;
    process.stdout.write(`${isGood ? "ok" : "not ok"} - ${name}\n`);
  }
  return count;
}

function run(entry: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [entry, ...args], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve, reject) => child.once("error", reject).once("exit", (code) => resolve(code ?? 1)));
}

if (import.meta.main) {
  const { options } = readCommandLine("npm run check --", {
    arguments: [],
    means: "check types, style, import law, wording and leftovers",
    options: { fix: { means: "repair what can be repaired" } },
  });
  if ((await runChecks(options)).failed > 0) process.exitCode = 1;
}
