// Installs what a fresh clone lacks. Plain JavaScript without dependencies, for Node >= 18, because it runs before
// anything is installed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, fail, messageOf, root, run, say } from "./prepare/programs.mjs";

/** Runs npm with the Node that runs this script. */
function npm(/** @type {string[]} */ args) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith(".js")) run(process.execPath, [cli, ...args]);
  else run("npm", args);
}

/** Installs node_modules unless they fit the lock file. */
export function ensureDependencies() {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const mark = join(root, "node_modules", ".installed");
  if (existsSync(mark) && readFileSync(mark, "utf8") === lock) return;
  say("installing the dependencies ...");
  npm(["ci", "--no-fund", "--no-audit", "--loglevel=error"]);
  writeFileSync(mark, lock);
}

/** Gives a Node that runs the project: this one, or the pinned one from npm, which is installed into a cache folder. */
export function ensureNode() {
  const { engines, shelfwire } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const minMajor = Number(engines.node.replace(/\D+/g, ""));
  if (Number(process.versions.node.split(".")[0]) >= minMajor) return process.execPath;
  const cache = join(cacheFolder(), `node-${shelfwire.node}`);
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(cache, "node_modules", name, "bin", "node");
  if (existsSync(program)) return program;
  say(`this is Node ${process.versions.node}; bringing Node ${shelfwire.node} from npm ...`);
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
      `Node >= ${minMajor} is needed, this is ${process.versions.node}, and npm could not bring one: ${messageOf(error)}`,
    );
  }
}
