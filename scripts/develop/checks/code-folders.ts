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
/** The product's folders and the tests' folder. */
export const codeFolders: readonly string[] = [...productFolders, "test"];

/** This project's root folder. */
export const root = new URL("../../../", import.meta.url);

/** Returns the paths of the code files in these folders, at any depth. */
export async function codeIn(folders: readonly string[]): Promise<string[]> {
  const found = folders.map(async (folder) => {
    const names = await readdir(new URL(`${folder}/`, root), { recursive: true });
    return names.map((name) => `${folder}/${name}`);
  });
  return (await Promise.all(found)).flat().filter((path) => /\.(ts|mjs)$/.test(path));
}
