import { readFile } from "node:fs/promises";

/** The part of package-lock.json that is checked. */
export interface Lock {
  packages: Readonly<Record<string, { integrity?: string; resolved?: string; link?: boolean; optional?: boolean }>>;
}

/**
 * What is wrong with the lock file: an entry without a checksum, which could be any package, unless it is listed as one
 * that the registry gives none for; a listed one that needs its place no more; a foreign source.
 */
export function faultsOfLock({ packages }: Lock, unchecked: ReadonlySet<string>): string[] {
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);
  return [
    ...installed.flatMap(([path, { integrity, resolved, optional }]) => [
      ...(integrity === undefined && !unchecked.has(path) ? [`${path} has no integrity`] : []),
      ...(integrity !== undefined && !integrity.startsWith("sha512-")
        ? [`${path} has an integrity of an old hash`]
        : []),
      ...(unchecked.has(path) && integrity !== undefined ? [`${path} has an integrity: take it off the list`] : []),
      ...(unchecked.has(path) && !optional ? [`${path} is on the list, but is not optional`] : []),
      ...(resolved === undefined ? [] : [`${path} names a host: ${resolved}`]),
    ]),
    ...[...unchecked].filter((path) => packages[path] === undefined).map((path) => `${path} is listed, but not locked`),
  ];
}

const readJson = async (file: string) => JSON.parse(await readFile(new URL(file, import.meta.url), "utf8"));

/** The faults of this project's lock file. */
export const faultsOfProject = async (): Promise<string[]> =>
  faultsOfLock(await readJson("../../../package-lock.json"), new Set(await readJson("./lock-without-integrity.json")));

if (import.meta.main) {
  const faults = await faultsOfProject();
  for (const fault of faults) process.stdout.write(`package-lock.json: ${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
