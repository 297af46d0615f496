import { codeFolders, codeIn } from "./code-folders.ts";

const MAX_FILES = 16;
/** A folder with one file per noun, and the folder with its tests. */
const lists = new Set(["schemas", "test/schemas"]);

/**
 * Returns the folders that have more code files side by side than a reader can take in
 * (docs/decisions/runtime/folder-size.md).
 */
export function crowdedFolders(paths: readonly string[]): string[] {
  const code = paths.filter((path) => /\.(ts|mjs)$/.test(path));
  const byFolder = Map.groupBy(code, (path) => path.slice(0, path.lastIndexOf("/")));
  return [...byFolder]
    .filter(([folder, files]) => !lists.has(folder) && files.length > MAX_FILES)
    .map(
      ([folder, files]) =>
        `${folder} holds ${files.length} files, more than the maximum of ${MAX_FILES}: move some into a folder`,
    );
}

if (import.meta.main) {
  const faults = crowdedFolders(await codeIn(codeFolders));
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
