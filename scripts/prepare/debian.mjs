// Programs from Debian's packages: installed by root, otherwise unpacked into the cache folder, which does not require root.
import { randomUUID } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { cacheFolder, run, say, which } from "./programs.mjs";

/** Installs packages as root. Returns false if that is not possible. */
export function aptInstall(/** @type {string[]} */ packages) {
  if (process.getuid?.() !== 0 || !which("apt-get")) return false;
  say(`installing ${packages.join(", ")} with apt-get ...`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  try {
    run("apt-get", ["update", "-qq"], { env });
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], { env });
    return true;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/**
 * Unpacks packages, and their dependencies that the machine lacks, into a folder of the cache. Returns the folder's path, or
 * undefined if there is no apt-get. An existing folder is used unchanged.
 */
export function unpackDebian(/** @type {string} */ name, /** @type {string[]} */ packages) {
  if (!which("apt-get") || !which("dpkg")) return undefined;
  const folder = join(cacheFolder(), "debian", name);
  if (existsSync(folder)) return folder;
  say(`unpacking ${packages.join(", ")} into ${folder} ...`);
  // A separate folder, because threads of one process may run this at the same time.
  const work = `${folder}.${randomUUID()}`;
  const [packed, tree] = [join(work, "packed"), join(work, "tree")];
  mkdirSync(tree, { recursive: true });
  try {
    download(packages, work, packed);
    for (const file of readdirSync(packed)) run("dpkg", ["-x", join(packed, file), tree]);
    pointInside(tree, tree, folder);
    // Another process may have finished first.
    if (!existsSync(folder)) renameSync(tree, folder);
    return folder;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Downloads packages and their dependencies that the machine lacks: by the machine's package lists, otherwise by new lists. */
function download(/** @type {string[]} */ packages, /** @type {string} */ work, /** @type {string} */ packed) {
  const [lists, archives] = [join(work, "lists"), join(work, "cache")];
  for (const part of [join(lists, "partial"), join(archives, "archives/partial")]) mkdirSync(part, { recursive: true });
  const options = ["-qq", `Dir::Cache=${archives}`, "Debug::NoLocking=1", "APT::Sandbox::User="]
    .concat("APT::Update::Post-Invoke-Success=")
    .flatMap((option, index) => (index === 0 ? [option] : ["-o", option]));
  const take = (/** @type {string[]} */ listed) => {
    rmSync(packed, { recursive: true, force: true });
    mkdirSync(packed);
    const simulated = run("apt-get", [...listed, "--simulate", "--no-install-recommends", "install", ...packages]);
    const missing = [...simulated.matchAll(/^Inst (\S+)/gm)].map(([, found]) => String(found));
    run("apt-get", [...listed, "download", ...new Set([...packages, ...missing])], { cwd: packed });
  };
  try {
    take(options);
  } catch {
    // The machine has no package lists, or they name packages that no longer exist.
    const listed = [...options, "-o", `Dir::State::Lists=${lists}`];
    run("apt-get", [...listed, "update"]);
    take(listed);
  }
}

/** Makes absolute links in an unpacked tree point into it, if it contains their targets. `final` is where the tree will be. */
function pointInside(/** @type {string} */ folder, /** @type {string} */ tree, /** @type {string} */ final) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const status = lstatSync(path);
    if (status.isDirectory()) pointInside(path, tree, final);
    if (!status.isSymbolicLink()) continue;
    const target = readlinkSync(path);
    if (!target.startsWith("/") || !existsOrLink(join(tree, target))) continue;
    rmSync(path);
    symlinkSync(join(final, target), path);
  }
}

function existsOrLink(/** @type {string} */ path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Returns the folders of a tree that contain libraries. Some packages keep their own libraries in a folder below the common
 * one.
 */
function librariesOf(/** @type {string} */ tree) {
  const common = ["lib", "usr/lib"].flatMap((place) =>
    foldersIn(join(tree, place)).filter((folder) => folder.includes("-linux-")),
  );
  const holdsLibraries = (/** @type {string} */ folder) => readdirSync(folder).some((name) => /^lib.+\.so/.test(name));
  return common.flatMap((folder) => [folder, ...foldersIn(folder).filter(holdsLibraries)]);
}

function foldersIn(/** @type {string} */ folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

/** Writes a script that runs a program in an unpacked tree with the tree's libraries. Returns the script's path. */
export function wrapperOf(
  /** @type {string} */ tree,
  /** @type {string} */ program,
  /** @type {Record<string, string>} */ variables = {},
) {
  const script = join(tree, "wrappers", program.slice(program.lastIndexOf("/") + 1));
  mkdirSync(join(tree, "wrappers"), { recursive: true });
  const assignments = Object.entries({ LD_LIBRARY_PATH: librariesOf(tree).join(":"), ...variables })
    .map(([name, value]) => `export ${name}='${value}'\n`)
    .join("");
  // Replaced in one step, because another process may be running it.
  const written = `${script}.${randomUUID()}`;
  writeFileSync(written, `#!/bin/sh\n${assignments}exec '${join(tree, program)}' "$@"\n`, { mode: 0o755 });
  renameSync(written, script);
  return script;
}
