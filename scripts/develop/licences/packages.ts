import { readdir, readFile } from "node:fs/promises";

const root = new URL("../../../", import.meta.url);

/** An installed package, from the lock file. */
export interface InstalledPackage {
  name: string;
  version: string;
  /** The licence that the package declares. Absent if it declares none. */
  licence: string | undefined;
  /** The checksum of the package's archive. */
  integrity: string;
  /** The package's folder in the repository. */
  folder: string;
  /** Whether the package exists only for some systems, so that its files are not on every machine. */
  isNative: boolean;
}

interface LockEntry {
  version: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  link?: boolean;
  os?: readonly string[];
  cpu?: readonly string[];
}

/** Returns the packages that `npm ci --omit=dev` installs, by name and version. */
export async function readPackages(): Promise<InstalledPackage[]> {
  const { packages } = JSON.parse(await readFile(new URL("package-lock.json", root), "utf8"));
  const found = new Map<string, InstalledPackage>();
  for (const [folder, entry] of Object.entries(packages as Record<string, LockEntry>)) {
    const { version, license: licence, integrity = "", dev, link, os, cpu } = entry;
    if (!folder.includes("node_modules/") || dev || link) continue;
    const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
    found.set(`${name}@${version}`, { name, version, licence, integrity, folder, isNative: (os ?? cpu) !== undefined });
  }
  return [...found.values()].sort((one, other) => compare(one.name, other.name) || compare(one.version, other.version));
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Returns the contents of a package's licence and notice files. Empty if it has none or is native. */
export async function readTexts({ folder, isNative }: InstalledPackage): Promise<string[]> {
  if (isNative) return [];
  const files = await readdir(new URL(`${folder}/`, root));
  const named = files.filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  return Promise.all(named.map((file) => readFile(new URL(`${folder}/${file}`, root), "utf8")));
}
