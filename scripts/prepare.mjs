// Installs what a fresh clone lacks. Plain JavaScript without dependencies, for Node >= 18, because it runs before anything
// is installed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needsOf, planInstallation, unfittingPackages } from "./prepare/dependencies.mjs";
import { cacheFolder, fail, messageOf, root, run, say } from "./prepare/programs.mjs";

const INSTALLED = "node_modules/.package-lock.json";

/** Runs npm with the Node that runs this script. */
function npm(/** @type {string[]} */ args) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith(".js")) run(process.execPath, [cli, ...args]);
  else run("npm", args);
}

/** @returns {Record<string, import("./prepare/dependencies.mjs").Package>} */
const packagesOf = (/** @type {string} */ file) => JSON.parse(readFileSync(join(root, file), "utf8")).packages ?? {};

/**
 * Installs the packages that a command needs, or ends the command if an installation must not be changed.
 * @param {string} entry Path of the command's file.
 */
export function ensureDependencies(entry) {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const mark = join(root, "node_modules", ".installed");
  const isOurs = existsSync(mark);
  if (isOurs && readFileSync(mark, "utf8") === lock) return;
  const { withDevelopment, mayInstall } = needsOf(entry);
  // npm writes this file when it has installed everything.
  const isInstalled = existsSync(join(root, INSTALLED));
  const installed = isInstalled ? packagesOf(INSTALLED) : {};
  const [first, ...others] = unfittingPackages(packagesOf("package-lock.json"), installed, withDevelopment);
  const plan = planInstallation({ isInstalled, isOurs, mayInstall, isComplete: first === undefined });
  if (plan === "run") return;
  if (plan === "refuse")
    fail(
      `${first?.replace("node_modules/", "")} and ${others.length} other packages differ from package-lock.json ` +
        "and are not installed automatically, because processes may be running from this folder. Stop them, then run " +
        `npm ci${withDevelopment ? "" : " --omit=dev"}.`,
    );
  say("installing the dependencies ...");
  npm(["ci", "--no-fund", "--no-audit", "--loglevel=error"]);
  writeFileSync(mark, lock);
}

/** Returns a Node that can run the project: this one, or the pinned one from npm, which is installed into a cache folder. */
export function ensureNode() {
  const { engines, shelfwire } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const minMajor = Number(engines.node.replace(/\D+/g, ""));
  if (Number(process.versions.node.split(".")[0]) >= minMajor) return process.execPath;
  const cache = join(cacheFolder(), `node-${shelfwire.node}`);
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(cache, "node_modules", name, "bin", "node");
  if (existsSync(program)) return program;
  say(`this is Node ${process.versions.node}; downloading Node ${shelfwire.node} from npm ...`);
  mkdirSync(cache, { recursive: true });
  try {
    npm([
      "install",
      "--prefix",
      cache,
      "--no-save",
      "--no-fund",
      "--no-audit",
      "--loglevel=error",
      `${name}@${shelfwire.node}`,
    ]);
    execFileSync(program, ["--version"]);
    return program;
  } catch (error) {
    return fail(
      `Node >= ${minMajor} is required, this is ${process.versions.node}, and npm could not download one: ${messageOf(error)}`,
    );
  }
}
