// Shared by the scripts that obtain programs. Plain JavaScript for Node >= 18, because it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Returns the folder for downloaded programs, for all clones of this user. */
export const cacheFolder = () => join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "shelfwire");

/** Prints a line to standard error, because standard output belongs to the command. */
export const say = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

/**
 * Prints what the user must do, and exits with an error.
 * @param {string} text
 * @returns {never}
 */
export function fail(text) {
  say(text);
  process.exit(1);
}

export const messageOf = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));

/** Returns the path of a program on PATH, or undefined. */
export function which(/** @type {string} */ program) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** Runs a program to its end and returns its output. Throws with its error output if it fails. */
export function run(/** @type {string} */ program, /** @type {string[]} */ args, /** @type {object} */ options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 << 20,
    ...options,
  });
  if (error) throw error;
  if (status !== 0) {
    const said = `${stderr ?? ""}`.trim() || `${stdout ?? ""}`.trim();
    throw new Error(`${program} ${args.join(" ")} failed: ${said.split("\n").slice(-3).join(" ")}`);
  }
  return String(stdout ?? "");
}

/**
 * Returns the result of the first of several ways that succeeds. A way returns undefined if it does not apply. If a way
 * fails, its reason is printed and the next one is tried.
 * @template T
 * @param {readonly (() => T | undefined)[]} ways
 * @returns {T | undefined}
 */
export function firstThatWorks(ways) {
  for (const way of ways) {
    try {
      const brought = way();
      if (brought !== undefined) return brought;
    } catch (error) {
      say(messageOf(error));
    }
  }
  return undefined;
}
