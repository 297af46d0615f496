// Installs what a fresh clone lacks. Plain JavaScript without dependencies, for Node >= 18, because it runs before
// anything is installed.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const standIn = join(root, "scripts", "mongo-stand-in");
const MONGOD_VERSION = "7.0.24";
const RETRY_DOWNLOAD_AFTER_MS = 7 * 86_400_000;

/** Prints a line on standard error, because standard output belongs to the command. */
const say = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

/**
 * Prints what the user must do, and exits with an error.
 * @param {string} text
 * @returns {never}
 */
export function fail(text) {
  say(text);
  process.exit(1);
}

const messageOf = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));

/** Path of a program on PATH, or undefined. */
export function which(/** @type {string} */ program) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** Runs a program to its end; throws with its error output if it fails. */
export function run(/** @type {string} */ program, /** @type {string[]} */ args, /** @type {object} */ options = {}) {
  const { status, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    ...options,
  });
  if (error) throw error;
  if (status !== 0)
    throw new Error(`${program} ${args.join(" ")} failed: ${String(stderr).trim().split("\n").slice(-3).join(" ")}`);
}

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
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "shelfwire", `node-${shelfwire.node}`);
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

/** Installs a Debian package as root; false where that is not possible. */
export function aptInstall(/** @type {string[]} */ packages) {
  if (process.getuid?.() !== 0 || !which("apt-get")) return false;
  say(`installing ${packages.join(", ")} with apt-get ...`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  try {
    run("apt-get", ["update", "-qq"], { env });
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], { env });
    return true;
  } catch (error) {
    say(messageOf(error));
    return false;
  }
}

/** Gives the path of redis-server, on PATH or installed by the platform's package manager. */
export function ensureRedisServer() {
  const present = which("redis-server");
  if (present) return present;
  if (aptInstall(["redis-server"])) return which("redis-server") ?? fail("apt-get installed no redis-server");
  if (which("brew")) {
    say("installing redis with brew ...");
    run("brew", ["install", "redis"]);
    return which("redis-server") ?? fail("brew installed no redis-server");
  }
  return fail(
    "No Redis: set REDIS_URL, or put redis-server on PATH, or run this as root where apt-get is (or with brew).",
  );
}

/**
 * Gives the program for MongoDB's protocol: a mongod on PATH, one that mongodb-memory-server downloads, or, where the
 * download is refused, the stand-in. A refusal is stored in the data folder.
 * @returns {Promise<{ kind: "mongod", program: string } | { kind: "stand-in", java: string, classPath: string, source: string }>}
 */
export async function ensureMongoServer(/** @type {string} */ dataFolder) {
  const present = which("mongod");
  if (present) return { kind: "mongod", program: present };
  const downloaded = await downloadMongod(dataFolder);
  return downloaded ? { kind: "mongod", program: downloaded } : ensureStandIn();
}

async function downloadMongod(/** @type {string} */ dataFolder) {
  const refusal = join(dataFolder, "mongod-download-refused");
  if (existsSync(refusal) && Date.now() - Number(readFileSync(refusal, "utf8")) < RETRY_DOWNLOAD_AFTER_MS)
    return undefined;
  const { MongoBinary } = await import("mongodb-memory-server-core");
  say("obtaining mongod ...");
  try {
    return await MongoBinary.getPath({ version: MONGOD_VERSION });
  } catch (error) {
    say(`mongod cannot be downloaded (${messageOf(error).split("\n").at(-1)}): taking the stand-in`);
    mkdirSync(dataFolder, { recursive: true });
    writeFileSync(refusal, String(Date.now()));
    return undefined;
  }
}

/** @returns {{ kind: "stand-in", java: string, classPath: string, source: string }} */
function ensureStandIn() {
  if (!which("java") || !which("mvn")) aptInstall(["openjdk-17-jdk-headless", "maven"]);
  const java = which("java");
  if (!java || !which("mvn")) {
    return fail(
      "No MongoDB: set MONGODB_URL, or put mongod on PATH, or install a JDK >= 17 and Maven for the stand-in.",
    );
  }
  const version = Number(/version "(\d+)/.exec(spawnSync(java, ["-version"], { encoding: "utf8" }).stderr)?.[1]);
  if (!(version >= 17))
    return fail(`The MongoDB stand-in needs Java >= 17, but this is ${version}. Or set MONGODB_URL.`);
  const jars = join(standIn, "target", "dependency");
  if (!existsSync(jars)) {
    say("bringing the MongoDB stand-in with Maven ...");
    run("mvn", ["-q", "-B", "-f", join(standIn, "pom.xml"), "dependency:copy-dependencies"]);
  }
  return { kind: "stand-in", java, classPath: join(jars, "*"), source: join(standIn, "MongoStandIn.java") };
}
