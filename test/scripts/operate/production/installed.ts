import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The folder of a production install that all tests in the file share. */
export const folder = mkdtempSync(join(tmpdir(), "shelfwire-production-"));
export const removeInstalled = (): void => rmSync(folder, { recursive: true, force: true });

/** Creates an operator's installation: the repository's files and the product's packages. */
export async function install(): Promise<void> {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", ":!test"], {
    encoding: "utf8",
  });
  for (const file of listed.split("\0").filter(Boolean)) cpSync(file, join(folder, file));
  const { code, err } = await run("npm", ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]);
  if (code !== 0) throw new Error(err);
  // As in the image: nothing that the tests run needs the removed files.
  const slim = await run(process.execPath, ["scripts/prepare/slim-packages.mjs"]);
  if (slim.code !== 0) throw new Error(slim.err);
}

export interface Ended {
  code: number;
  out: string;
  err: string;
}

/**
 * Runs a program as an operator does, without the test's own environment settings unless they are passed. Code that one
 * process has compiled is not compiled again by the next.
 */
export function run(program: string, args: readonly string[], given: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const { PATH, HOME, XDG_CACHE_HOME, npm_config_registry, NODE_EXTRA_CA_CERTS } = process.env;
  const path = `${dirname(process.execPath)}:${PATH}`;
  const NODE_COMPILE_CACHE = join(folder, ".compiled");
  const ofMachine = { PATH: path, HOME, XDG_CACHE_HOME, npm_config_registry, NODE_EXTRA_CA_CERTS };
  const env = { ...ofMachine, NODE_COMPILE_CACHE, ...given };
  return new Promise((done) => {
    const options = { cwd: folder, env: JSON.parse(JSON.stringify(env)) as NodeJS.ProcessEnv };
    execFile(program, args, options, (error, out, err) => done({ code: Number(error?.code ?? 0), out, err }));
  });
}
