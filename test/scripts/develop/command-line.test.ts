import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import test from "ava";
import { casesToTry } from "../../harness/searches/effort.ts";

/** The developers' commands in package.json, by name. */
const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as { scripts: Record<string, string> };
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const [, entry] = /(scripts\/develop\/\S+\.ts)$/.exec(line) ?? [];
  return entry === undefined ? [] : [[name, entry] as const];
});

const run = (entry: string, ...words: string[]) =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) =>
    execFile(process.execPath, [entry, ...words], (error, out, err) => resolve({ code: error?.code ?? 0, out, err })),
  );

test("developers have commands", (t) => t.true(commands.length >= 14));

for (const [name, entry] of commands) {
  test(`npm run ${name} -- --help prints its usage`, async (t) => {
    const help = await run(entry, "--help");
    t.deepEqual([help.code, help.err], [0, ""]);
    const call = name === "test" ? "npm test --" : `npm run ${name} --`;
    t.true(help.out.startsWith(`usage: ${call}`), help.out);
    t.regex(help.out, /Exit codes: 0 done, 1 rejected or failed, 2 invalid command line/);
  });
}

test("an unknown option is refused by each command", async (t) => {
  for (const [name, entry] of casesToTry(t, commands, { size: 4 }, "commands")) {
    const refused = await run(entry, "--no-such-option");
    t.deepEqual([refused.code, refused.out], [2, ""], name);
    t.regex(refused.err, /Unknown option '--no-such-option'/);
  }
});
