import { type SpawnOptions, spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** `nobody`: it has no home, no rights and nothing installed. */
const USER = 65_534;
const SETPRIV = "/usr/bin/setpriv";
const isRoot = process.getuid?.() === 0;

/** Whether a test can be a user other than root: it is one, or the system has the program that makes root one. */
export const isUserMade = !isRoot || existsSync(SETPRIV);

/** A folder that the user can read, with this Node and the named parts of the product; `remove` deletes it. */
export interface OtherUser {
  folder: string;
  node: string;
  product: string;
  /** Creates an empty folder of the user's own. */
  ownFolder(name: string): string;
  /** The program and the arguments that run a command as this user. */
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
 * The product in a place where the user can read it, as hard links if the disk allows: a checkout may be in a
 * folder that only its owner can read, as root's home and what `mktemp -d` makes are.
 */
function readableProduct(folder: string, parts: readonly string[]): string {
  const product = join(folder, "shelfwire");
  mkdirSync(product);
  const stdio: SpawnOptions["stdio"] = "ignore";
  for (const options of ["-al", "-a"]) {
    const { status } = spawnSync("cp", [options, ...parts.map((part) => join(ROOT, part)), product], { stdio });
    if (status === 0) return product;
  }
  throw new Error(`${ROOT} cannot be copied to ${product}`);
}
