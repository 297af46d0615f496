import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Where a client is generated, and from what. */
export interface Work {
  folder: string;
  /** Path of the document. */
  document: string;
}

/** A generator of clients. Each step throws with what was wrong. */
export interface Generator {
  name: string;
  /** Installs it; a Missing names what this machine lacks. */
  obtain(): Tool;
}
export interface Tool {
  /** Creates a client in the folder and compiles it. */
  make(work: Work): void;
  /** Runs the program that calls every operation of the order, and returns its output. */
  call(folder: string, orderFile: string): Promise<string>;
}

/** What the machine lacks; the generator is then skipped. */
export class Missing extends Error {}

/** Programs that call for longer hang. */
const CALLS_TIMEOUT_MS = 180_000;

/** The path of a file that is among the generators. */
export const pinned = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));

/** The path of a program, in the language of its clients, that makes the calls of an order. */
export const program = (name: string) => fileURLToPath(new URL(`../programs/${name}`, import.meta.url));

/** Returns what a program prints. Not `run`, which would stop the part of the server that is in this process. */
export const printedBy = async (command: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(command, args, { timeout: CALLS_TIMEOUT_MS, maxBuffer: 16 << 20 })).stdout;
