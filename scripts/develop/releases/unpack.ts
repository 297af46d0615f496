import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A released version and its commit. */
export interface Release {
  version: string;
  commit: string;
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** One file per release: the data that its processes stored, recorded by `npm run record-release`. */
const RECORDINGS = join(root, "test/fixtures/releases/");
const MAX_ARCHIVE_BYTES = 2 ** 28;

export const recordingFile = (version: string): string => join(RECORDINGS, `${version}.json`);

/** Returns every recorded release, oldest first. */
export function recordedReleases(): Release[] {
  const versions = readdirSync(RECORDINGS).map((name) => name.replace(/\.json$/, ""));
  return versions
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((version) => JSON.parse(readFileSync(recordingFile(version), "utf8")));
}

/**
 * Unpacks a commit into an empty folder, next to this installation's packages. Throws with git's message if the history does
 * not contain the commit.
 */
export function unpackCommit(commit: string, folder: string, repository = root): void {
  const archive = execFileSync("git", ["archive", commit], {
    cwd: repository,
    maxBuffer: MAX_ARCHIVE_BYTES,
    stdio: "pipe",
  });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}

/** Whether a repository contains every commit of its history, and is neither a shallow clone nor a copy without a history. */
export function hasWholeHistory(repository = root): boolean {
  const asked = spawnSync("git", ["rev-parse", "--is-shallow-repository"], { cwd: repository, encoding: "utf8" });
  return asked.stdout?.trim() === "false";
}
