import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isFontFile, isImageFile } from "./own-files.ts";

/**
 * Returns images and fonts: the given ones, and those in the folders of designs. A given file wins over another file with the
 * same name.
 */
export async function filesBeside(designs: readonly string[], given: readonly string[]): Promise<string[]> {
  const folders = [...new Set(designs.map((file) => dirname(resolve(file))))];
  const inFolders = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).toSorted().map((name) => join(folder, name))),
  );
  const found = inFolders.flat().filter((file) => isImageFile(file) || isFontFile(file));
  return [...new Set([...found, ...given.map((file) => resolve(file))])];
}
