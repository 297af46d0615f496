import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const lockIn = (folder: string): string => join(folder, "lock");

/** Locks a folder for this process. Returns the id of the process that already holds the lock, if that process is alive. */
export function lockFolder(folder: string): number | undefined {
  try {
    writeFileSync(lockIn(folder), String(process.pid), { flag: "wx" });
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const holder = Number(readFileSync(lockIn(folder), "utf8"));
    if (holder > 0 && isAlive(holder)) return holder;
    unlockFolder(folder);
    return lockFolder(folder);
  }
}

export const unlockFolder = (folder: string): void => rmSync(lockIn(folder), { force: true });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
