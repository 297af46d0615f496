import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { aptInstall } from "../../prepare/debian.mjs";
import { run } from "../../prepare/programs.mjs";

/** The only file that names the version. */
const requirements = fileURLToPath(new URL("./requirements.txt", import.meta.url));
const pythons = ["python3", "python3.14", "python3.13", "python3.12", "python3.11"];
const MIN_MINOR_VERSION = 11;
const HELP = `Schemathesis needs Python 3.${MIN_MINOR_VERSION} or later with its venv module, and the packages of ${requirements} from PyPI`;

/**
 * Gives the path of the schemathesis program, which is installed below the data folder if it is missing. A marker is
 * written last, so an interrupted installation is repeated.
 */
export function obtainSchemathesis(dataFolder: string): string {
  const version = createHash("sha256").update(readFileSync(requirements)).digest("hex");
  const folder = resolve(dataFolder, "schemathesis");
  const marker = join(folder, ".installed");
  const program = join(folder, "bin", "schemathesis");
  if (existsSync(marker) && readFileSync(marker, "utf8") === version) return program;
  process.stderr.write("installing schemathesis ...\n");
  rmSync(folder, { recursive: true, force: true });
  makeEnvironment(folder);
  try {
    run(join(folder, "bin", "python"), ["-m", "pip", "install", "--quiet", "--requirement", requirements]);
  } catch (error) {
    throw new Error(`${HELP}: ${(error as Error).message}`);
  }
  writeFileSync(marker, version);
  return program;
}

function makeEnvironment(folder: string): void {
  try {
    run(findPython() ?? "python3", ["-m", "venv", folder]);
  } catch (error) {
    // Debian packages the venv module separately from Python.
    if (!aptInstall(["python3", "python3-venv"])) throw new Error(`${HELP}: ${(error as Error).message}`);
    run(findPython() ?? "python3", ["-m", "venv", "--clear", folder]);
  }
}

function findPython(): string | undefined {
  return pythons.find((program) => {
    const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
    const [, major, minor] = /Python (\d+)\.(\d+)/.exec(stdout ?? "") ?? [];
    return major === "3" && Number(minor) >= MIN_MINOR_VERSION;
  });
}
