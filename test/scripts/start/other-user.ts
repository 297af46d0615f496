import { type SpawnOptions, spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** `nobody`, a user without a home, without rights and without installed programs. */
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
 * A copy of the product that the user can read, made of hard links if the disk allows it. Only the owner can read a
 * checkout in root's home or in a folder made by `mktemp -d`.
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
