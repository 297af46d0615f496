import { execFile } from "node:child_process";
import test from "ava";

/** Runs the program without any settings, since arguments are checked first. */
function run(entry: string, argument: string): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [entry, argument],
      { env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } },
      (error, out, err) => done({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

const entries: [entry: string, call: string][] = [
  ["scripts/start/start.ts", "npm start"],
  ["scripts/operate/all.ts", "npm run all"],
  ["api/process.ts", "npm run web"],
  ["workers/item/process.ts", "npm run item"],
];

for (const [entry, call] of entries)
  test(`${call} -- --help prints what it runs and starts nothing`, async (t) => {
    const { code, out, err } = await run(entry, "--help");
    t.is(code, 0, err);
    t.true(out.startsWith(`usage: ${call} -- [--help]\n`), out);
  });

test("an unknown argument is refused with exit code 2, and the error names it", async (t) => {
  const { code, err } = await run("workers/item/process.ts", "--prot=1");
  t.is(code, 2);
  t.true(
    err.startsWith('npm run item does not accept "--prot=1": it is configured only by environment variables\n'),
    err,
  );
});
