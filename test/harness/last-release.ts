import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Release, recordedReleases, unpackCommit } from "../../scripts/develop/releases/unpack.ts";

/** The last release in its own folder, or why it is not available. */
export type LastRelease = Release & ({ folder: string; missing?: never } | { folder?: never; missing: string });

/** Unpacks the newest recorded release from the repository's history. */
export function unpackLastRelease(): LastRelease {
  const last = recordedReleases().at(-1);
  if (last === undefined) throw new Error("no release is recorded in test/fixtures/releases");
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-last-release-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  try {
    unpackCommit(last.commit, folder);
    return { ...last, folder };
  } catch (error) {
    return { ...last, missing: (error as Error).message.trim() };
  }
}
