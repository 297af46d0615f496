import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

const MARK = "==== block";
const PATIENTLY = new URL("../../harness/processes/reach-patiently.ts", import.meta.url).href;

/** A shell in which a refused call ends the script, and in which npm only starts the script. */
const shell = `
  curl() { command curl -sS --fail-with-body "$@"; }
  npm() { shift; [ "$1" = --silent ] && shift; node --run "$@"; }
`;

/** Runs command blocks in one shell, in order, in a folder; returns what each block printed. */
export async function runBlocks(
  commands: readonly string[],
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const env = { ...environment, NODE_OPTIONS: `--import=${PATIENTLY}` };
  const child = spawn("sh", ["-eu"], { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => {}).end(shell + commands.map((one) => `echo; echo "${MARK}"\n${one}\n`).join(""));
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const printed = out.split(`\n${MARK}\n`).slice(1);
  const code = await ended;
  if (code !== 0) throw new Error(`${commands[printed.length - 1]}\nended with ${code}\n${printed.at(-1)}\n${errors}`);
  return printed;
}
