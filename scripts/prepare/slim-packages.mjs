// Removes from node_modules what production never loads: source maps, type declarations, and packages that are only optional
// peers of others (TypeScript, Babel), which npm installs because development packages depend on them. Run
// `node scripts/prepare/slim-packages.mjs` after `npm ci --omit=dev` (Dockerfile).
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {{ dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, { optional?: boolean }> }} Package
 * @typedef {Record<string, Package>} Packages Keyed by path, as in a lock file; the path of the project itself is empty.
 */

/**
 * Returns the paths of packages that production needs neither directly nor through other packages. An optional peer does not
 * count as needed.
 * @param {Packages} packages
 * @returns {string[]}
 */
export function unneededPackages(packages) {
  const needed = new Set([""]);
  // A set is walked in the order in which it grows, so this reaches every package.
  for (const path of needed)
    for (const name of needsOf(packages[path] ?? {})) {
      const found = resolve(packages, path, name);
      if (found !== undefined) needed.add(found);
    }
  // A workspace is listed by its own folder, which belongs to the repository.
  return Object.keys(packages).filter((path) => path.startsWith("node_modules/") && !needed.has(path));
}

function needsOf(
  /** @type {Package} */ { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta },
) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Returns the path that Node finds for a name: in the nearest node_modules, upwards. */
function resolve(/** @type {Packages} */ packages, /** @type {string} */ from, /** @type {string} */ name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === "") return undefined;
  }
}

if (import.meta.main) {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const { packages } = JSON.parse(readFileSync("node_modules/.package-lock.json", "utf8"));
  const unneeded = unneededPackages({ ...packages, "": { dependencies } });
  for (const path of unneeded) rmSync(path, { recursive: true, force: true });
  const files = readdirSync("node_modules", { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(map|d\.[cm]?ts)$/.test(file),
  );
  for (const file of files) rmSync(join("node_modules", file), { force: true });
  // Removes links to removed programs.
  for (const name of readdirSync("node_modules/.bin")) {
    const link = join("node_modules/.bin", name);
    if (!existsSync(link)) rmSync(link);
  }
  process.stdout.write(`removed ${unneeded.length} packages, and ${files.length} source maps and declarations\n`);
}
