/** A file as listed in a folder. */
export interface ListedFile {
  name: string;
  size: number;
  mtimeMs: number;
}

/** A file, and the time since which it has not changed, in milliseconds. */
export interface SeenFile extends ListedFile {
  since: number;
}

/** Names that programs give to files that they are still writing, and names of hidden files. */
const UNFINISHED = /^[.~]|\.(tmp|temp|part|partial|filepart|crdownload|swp)$/i;

/** Whether a file may be a price file. Some programs rename a file when it is complete. */
export const isFinishedName = (name: string): boolean => !UNFINISHED.test(name);

/**
 * Returns the files of a folder, each with the time since which its size and modification time have not changed, as far as
 * `seen` knows.
 *
 *
 * @param now milliseconds of a clock that never goes back
 */
export function look(seen: readonly SeenFile[], listed: readonly ListedFile[], now: number): SeenFile[] {
  const before = new Map(seen.map((file) => [file.name, file]));
  return listed.map((file) => {
    const known = before.get(file.name);
    const isUnchanged = known?.size === file.size && known.mtimeMs === file.mtimeMs;
    return { ...file, since: isUnchanged ? known.since : now };
  });
}

/** Returns the files that have not changed for `stillMs`, oldest first, because a newer price list overrides an older one. */
export const stillFiles = (seen: readonly SeenFile[], stillMs: number, now: number): SeenFile[] =>
  seen
    .filter(({ since }) => now - since >= stillMs)
    .toSorted((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
