import { readFile } from "node:fs/promises";

/** The part of package-lock.json that is checked. */
export interface Lock {
  packages: Readonly<Record<string, { integrity?: string; resolved?: string; link?: boolean }>>;
}

/**
 * Returns what is wrong with the lock file: an entry without a checksum, which could be any package, or an entry from another
 * registry.
 */
export function faultsOfLock({ packages }: Lock): string[] {
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);
  return installed.flatMap(([path, { integrity, resolved }]) => [
    ...(integrity === undefined ? [`${path} has no integrity`] : []),
    ...(integrity !== undefined && !integrity.startsWith("sha512-")
      ? [`${path} has an integrity value with an outdated hash`]
      : []),
    ...(resolved === undefined ? [] : [`${path} names a host: ${resolved}`]),
  ]);
}

if (import.meta.main) {
  const lock = await readFile(new URL("../../../package-lock.json", import.meta.url), "utf8");
  const faults = faultsOfLock(JSON.parse(lock));
  for (const fault of faults) process.stdout.write(`package-lock.json: ${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
