import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ListedFile } from "./still-files.ts";

/** A file that the watcher has taken. Its name in `working/` begins with the time at which it was taken, and is unique. */
export interface TakenFile {
  name: string;
  path: string;
  takenAt: number;
}

/** A watched folder, with the folders for files that are in work, done and failed. */
export interface Folders {
  /** Returns the files waiting in the folder. */
  waiting(): Promise<ListedFile[]>;
  /** Returns the files in work, in the order in which they were taken. A killed process may have left them. */
  taken(): Promise<TakenFile[]>;
  /** Takes a waiting file. Returns undefined if the file is gone. */
  take(name: string, now: number): Promise<TakenFile | undefined>;
  /** Moves a file out of work, after its report has been written next to its new place. Another watcher may have moved it. */
  settle(file: TakenFile, to: "done" | "failed", report: { ending: string; text: string }): Promise<void>;
}

/** File systems allow 255 bytes. The time, the random part and the report's ending need the rest. */
const MAX_NAME_BYTES = 190;
const TAKEN = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{8}-/;

/** Opens a folder, and creates the folders within it. */
export async function openFolders(folder: string): Promise<Folders> {
  const within = (...names: string[]) => join(folder, ...names);
  for (const name of ["working", "done", "failed"]) await mkdir(within(name), { recursive: true });

  return {
    async waiting() {
      const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
      const files = await Promise.all(entries.map(({ name }) => statOf(within(name), name)));
      return files.filter((file) => file !== undefined);
    },
    async taken() {
      const names = (await readdir(within("working"))).filter((name) => TAKEN.test(name)).toSorted();
      return names.map((name) => ({ name, path: within("working", name), takenAt: takenAtOf(name) }));
    },
    async take(waiting, now) {
      const name = `${stampOf(now)}-${randomBytes(4).toString("hex")}-${shortened(waiting)}`;
      const path = within("working", name);
      try {
        await rename(within(waiting), path);
      } catch (error) {
        if (isGone(error)) return undefined;
        throw error;
      }
      return { name, path, takenAt: takenAtOf(name) };
    },
    async settle({ name, path }, to, { ending, text }) {
      const report = within(to, `${name}.${ending}`);
      await writeFile(`${report}.tmp`, text);
      await rename(`${report}.tmp`, report);
      await rename(path, within(to, name)).catch((error) => {
        if (!isGone(error)) throw error;
      });
    },
  };
}

async function statOf(path: string, name: string): Promise<ListedFile | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { name, size, mtimeMs };
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

const stampOf = (now: number): string => `${new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;

function takenAtOf(name: string): number {
  const [, year, month, day, hour, minute, second] = (TAKEN.exec(name) ?? []).map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}

/** Returns the end of a name that is too long for its new place, because its extension says how the file is read. */
function shortened(name: string): string {
  const letters = [...name];
  while (Buffer.byteLength(letters.join("")) > MAX_NAME_BYTES) letters.shift();
  return letters.join("");
}
