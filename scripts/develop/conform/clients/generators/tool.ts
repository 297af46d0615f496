import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The folder for a generated client, and its source document. */
export interface Work {
  folder: string;
  /** Path of the document. */
  document: string;
}

/** A client generator. Each step throws with the reason if it fails. */
export interface Generator {
  name: string;
  /** Installs the generator. Throws Missing, which names what this machine lacks. */
  obtain(): Tool;
}
export interface Tool {
  /** Creates a client in the folder and compiles it. */
  make(work: Work): void;
  /** Runs the program that calls every operation in the order, and returns its output. */
  call(folder: string, orderFile: string): Promise<string>;
}

/** Names what the machine lacks. The generator is then skipped. */
export class Missing extends Error {}

/** A program that takes longer is assumed to hang. */
const CALLS_TIMEOUT_MS = 180_000;

/** Returns the path of a file in the generators' folder. */
export const pinned = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));

/** Returns the path of a program that makes the calls of an order, in the language of its clients. */
export const program = (name: string) => fileURLToPath(new URL(`../programs/${name}`, import.meta.url));

/** Returns what a program prints. Does not use `run`, which would block the part of the server that is in this process. */
export const printedBy = async (command: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(command, args, { timeout: CALLS_TIMEOUT_MS, maxBuffer: 16 << 20 })).stdout;
