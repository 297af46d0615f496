import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { queuesOf } from "../../../queues/topology.ts";
import {
  hasWholeHistory,
  type Release,
  recordedReleases,
  recordingFile,
  unpackCommit,
} from "../../../scripts/develop/releases/unpack.ts";

/** The last release in its own folder, or why it is not available. */
export type LastRelease = Release & ({ folder: string; missing?: never } | { folder?: never; missing: string });

/** Unpacks the newest recorded release from the repository's history. */
export function unpackLastRelease(): LastRelease {
  const last = recordedReleases().at(-1);
  if (last === undefined) throw new Error("no release is recorded in test/fixtures/releases");
  return unpackRelease(last);
}

/**
 * Unpacks a release into a folder that is removed when this process ends. Only a shallow clone may lack its commit: in a full
 * clone a missing commit throws, so that tests of the release fail instead of being skipped.
 */
export function unpackRelease({ version, commit }: Release, repository?: string): LastRelease {
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-last-release-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  try {
    unpackCommit(commit, folder, repository);
    return { version, commit, folder };
  } catch (error) {
    const missing = (error as Error).message.trim();
    if (!hasWholeHistory(repository)) return { version, commit, missing };
    throw new Error(
      `the history does not hold ${commit}, the commit of release ${version}; after a rebase, name its new commit in ` +
        `${recordingFile(version)} and CHANGELOG.md (${missing})`,
    );
  }
}

/** Returns the queues that the processes of an unpacked release serve; later releases may have added more. */
export async function queuesOfRelease(folder: string): Promise<typeof queuesOf> {
  const topology = await import(pathToFileURL(join(folder, "queues/topology.ts")).href);
  return topology.queuesOf;
}
