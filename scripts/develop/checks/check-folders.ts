import { readdir } from "node:fs/promises";

const MAX_FILES = 16;
const codeFolders = ["schemas", "domain", "runtime", "drawing", "records", "queues", "api", "workers", "scripts"];
/** Folders with one file per noun. */
const lists = new Set(["schemas"]);

/** The folders that hold more code files side by side than a reader can look over (docs/decisions/runtime/folder-size.md). */
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

/** The crowded folders of this project. */
export async function crowdedFoldersOfProject(): Promise<string[]> {
  const root = new URL("../../../", import.meta.url);
  const found = codeFolders.map(async (folder) => {
    const names = await readdir(new URL(`${folder}/`, root), { recursive: true });
    return names.map((name) => `${folder}/${name}`);
  });
  return crowdedFolders((await Promise.all(found)).flat());
}

if (import.meta.main) {
  const faults = await crowdedFoldersOfProject();
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
