import { readdir } from "node:fs/promises";

/** The folders of the product's code, in the order of the import law (docs/architecture.md). */
export const productFolders = [
  "schemas",
  "domain",
  "runtime",
  "drawing",
  "records",
  "queues",
  "api",
  "workers",
  "scripts",
] as const;
/** Those, and that of the tests. */
export const codeFolders: readonly string[] = [...productFolders, "test"];

/** This project's own folder. */
export const root = new URL("../../../", import.meta.url);

/** The paths of the files of code in these folders, at any depth. */
export async function codeIn(folders: readonly string[]): Promise<string[]> {
  const found = folders.map(async (folder) => {
    const names = await readdir(new URL(`${folder}/`, root), { recursive: true });
    return names.map((name) => `${folder}/${name}`);
  });
  return (await Promise.all(found)).flat().filter((path) => /\.(ts|mjs)$/.test(path));
}
