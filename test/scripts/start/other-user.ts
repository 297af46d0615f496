import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** `nobody`, a user without a home, without privileges and without installed programs. */
const USER = 65_534;
const SETPRIV = "/usr/bin/setpriv";
const isRoot = process.getuid?.() === 0;

/** Whether a test can run as a user other than root: it already does, or the system can switch the user. */
export const isUserMade = !isRoot || existsSync(SETPRIV);

/** A folder that the user can read, with this Node and the named parts of the product; `remove` deletes the folder. */
export interface OtherUser {
  folder: string;
  node: string;
  product: string;
  /** Creates an empty folder that belongs to the user. */
  ownFolder(name: string): string;
  /** The program and arguments that run a command as this user. */
  as(command: readonly [string, ...string[]]): [string, string[]];
  remove(): void;
}

export function openOtherUser(parts: readonly string[]): OtherUser {
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-user-"));
  chmodSync(folder, 0o755);
  const node = join(folder, "node");
  copyFileSync(process.execPath, node);
  const own = (path: string): string => {
    if (isRoot) chownSync(path, USER, USER);
    return path;
  };
  return {
    folder,
    node,
    product: own(readableProduct(folder, parts)),
    ownFolder: (name) => own(mkdtempSync(join(folder, `${name}-`))),
    as([program, ...args]) {
      if (!isRoot) return [program, args];
      return [SETPRIV, ["--reuid", String(USER), "--regid", String(USER), "--clear-groups", program, ...args]];
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Creates a copy of the product that the user can read, with hard links if the disk allows it. Only the owner can read a checkout
 * in root's home or in a folder made by `mktemp -d`.
 */
function readableProduct(folder: string, parts: readonly string[]): string {
  const product = join(folder, "shelfwire");
  const modules = readdirSync(join(ROOT, "node_modules")).filter((name) => name !== ".cache");
  for (const options of ["-al", "-a"]) {
    const copy = (names: readonly string[], from: string, to: string): boolean => {
      mkdirSync(to);
      const args = [options, ...names.map((name) => join(from, name)), to];
      return spawnSync("cp", args, { stdio: "ignore" }).status === 0;
    };
    // The second way does not overwrite what the first one has linked.
    rmSync(product, { recursive: true, force: true });
    const others = parts.filter((part) => part !== "node_modules");
    if (!copy(others, ROOT, product)) continue;
    // The cache is written by other threads and processes at the same time.
    if (!parts.includes("node_modules") || copy(modules, join(ROOT, "node_modules"), join(product, "node_modules")))
      return product;
  }
  throw new Error(`${ROOT} cannot be copied to ${product}`);
}
