// What npm has installed here. Plain JavaScript for Node >= 18, because it runs before anything is installed.

/**
 * @typedef {{ version?: string, dev?: boolean, devOptional?: boolean, optional?: boolean, link?: boolean }} Package
 * @typedef {Record<string, Package>} Packages Keyed by path, as in a lock file.
 */

/**
 * Returns the packages of a lock file that are not installed in its version. Packages for other platforms may be missing;
 * without `withDevelopment`, packages for development may be missing too.
 * @param {Packages} locked
 * @param {Packages} installed
 * @param {boolean} withDevelopment
 * @returns {string[]}
 */
export function unfittingPackages(locked, installed, withDevelopment) {
  return Object.entries(locked)
    .filter(([path, { version, dev, devOptional, optional, link }]) => {
      if (!path.startsWith("node_modules/") || link || optional) return false;
      if (!withDevelopment && (dev || devOptional)) return false;
      return installed[path]?.version !== version;
    })
    .map(([path]) => path);
}

/**
 * Decides what to do before a command runs. Incomplete packages are reinstalled only if this project's commands installed
 * them, and never by an operator's command, because processes may be running from them.
 * @param {{ isInstalled: boolean, isOurs: boolean, mayInstall: boolean, isComplete: boolean }} present
 * @returns {"install" | "run" | "refuse"}
 */
export function planInstallation({ isInstalled, isOurs, mayInstall, isComplete }) {
  if (!isInstalled) return "install";
  if (isComplete) return "run";
  return isOurs && mayInstall ? "install" : "refuse";
}

/**
 * Returns whether a command needs the development packages, and whether it may install missing packages.
 * @param {string} entry Path of its file.
 */
export const needsOf = (entry) => ({
  withDevelopment: entry.startsWith("scripts/develop/"),
  mayInstall: entry.startsWith("scripts/develop/") || entry.startsWith("scripts/start/"),
});
