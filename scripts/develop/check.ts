import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What must hold of the code before it is run: its types, its style and import law, and that nothing lies unused. */
const checks = [
  { name: "types (tsc)", entry: "node_modules/typescript/bin/tsc", args: ["-p", "."] },
  { name: "style and import law (biome)", entry: "node_modules/@biomejs/biome/bin/biome", args: ["check", "."] },
  { name: "nothing unused (knip)", entry: "node_modules/knip/bin/knip.js", args: [] },
];

/** Runs every check, one after the other, and tells how many passed. */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  const count = { passed: 0, failed: 0 };
  for (const { name, entry, args } of checks) {
    const isGood = (await run(entry, args)) === 0;
    count[isGood ? "passed" : "failed"] += 1;
    process.stdout.write(`${isGood ? "ok" : "not ok"} - ${name}\n`);
  }
  return count;
}

function run(entry: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [entry, ...args], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve, reject) => child.once("error", reject).once("exit", (code) => resolve(code ?? 1)));
}

if (import.meta.main && (await runChecks()).failed > 0) process.exitCode = 1;
