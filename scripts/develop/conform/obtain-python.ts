import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { aptInstall } from "../../prepare/debian.mjs";
import { cacheFolder, run, say } from "../../prepare/programs.mjs";

/** Returns the path of a requirements file. Only these files contain versions. */
const fileOf = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));
const pythons = ["python3", "python3.14", "python3.13", "python3.12", "python3.11"];
const MIN_MINOR_VERSION = 11;
const helpOf = (name: string, requirements: string): string =>
  `${name} requires Python 3.${MIN_MINOR_VERSION} or later with its venv module, and the packages of ${requirements} from PyPI`;

/** Returns the path of a Python that has the schemathesis module. */
export const obtainSchemathesis = (): string => obtainPackages("schemathesis", fileOf("requirements.txt"));

/** Returns the path of a Python that has the packages for the client in `docs/python-client`. */
export const obtainHttpx = (): string => obtainPackages("httpx", fileOf("httpx.txt"));

/**
 * Returns the path of a Python that has the packages of a file. Missing packages are installed into this user's cache, once for
 * all clones that pin the same versions. An interrupted installation leaves nothing that would be used.
 */
export function obtainPackages(name: string, requirements: string): string {
  const python = findPython() ?? (aptInstall(["python3", "python3-venv"]) ? findPython() : undefined);
  if (python === undefined) throw new Error(helpOf(name, requirements));
  const pinned = createHash("sha256").update(readFileSync(requirements)).update(python.version).digest("hex");
  const folder = join(cacheFolder(), `${name}-${pinned.slice(0, 16)}`);
  if (!existsSync(folder)) install(python.program, folder, name, requirements);
  return join(folder, "bin", "python");
}

/** Installs packages into an environment, and renames its folder once it is complete. Only its modules survive the move. */
function install(python: string, folder: string, name: string, requirements: string): void {
  say(`installing ${name} ...`);
  const work = `${folder}.${randomUUID()}`;
  try {
    makeEnvironment(python, work);
    run(join(work, "bin", "python"), ["-m", "pip", "install", "--quiet", "--requirement", requirements]);
    if (!existsSync(folder)) renameSync(work, folder);
  } catch (error) {
    throw new Error(`${helpOf(name, requirements)}: ${(error as Error).message}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function makeEnvironment(python: string, folder: string): void {
  try {
    run(python, ["-m", "venv", folder]);
  } catch (error) {
    // Debian packages the venv module separately from Python.
    if (!aptInstall(["python3-venv"])) throw error;
    run(python, ["-m", "venv", "--clear", folder]);
  }
}

/** Finds a Python that is new enough, with its version. */
function findPython(): { program: string; version: string } | undefined {
  for (const program of pythons) {
    const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
    const [, major, minor] = /Python (\d+)\.(\d+)/.exec(stdout ?? "") ?? [];
    if (major === "3" && Number(minor) >= MIN_MINOR_VERSION) return { program, version: `${major}.${minor}` };
  }
  return undefined;
}
