import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { REACH_PATIENTLY } from "../../harness/patience.ts";

const MARK = "==== block";

/**
 * A shell in which a refused call ends the script, and in which npm only starts the script. A call that gets 503 is repeated,
 * because a busy machine may not check an upload in time; curl's own --retry would also print the refusals.
 */
const shell = `
  curl() {
    answer_file=$(mktemp)
    for attempt in $(seq 60); do
      command curl -sS --fail-with-body "$@" > "$answer_file" && code=0 || code=$?
      [ $code = 22 ] && grep -q '"status":503' "$answer_file" || break
      sleep 1
    done
    cat "$answer_file"
    rm "$answer_file"
    return $code
  }
  npm() { shift; [ "$1" = --silent ] && shift; node --run "$@"; }
`;

/** Runs command blocks in one shell, in order, in a folder; returns what each block printed. */
export async function runBlocks(
  commands: readonly string[],
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const env = { ...environment, NODE_OPTIONS: `--import=${REACH_PATIENTLY}` };
  const child = spawn("sh", ["-eu"], { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => {}).end(shell + commands.map((one) => `echo; echo "${MARK}"\n${one}\n`).join(""));
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const printed = out.split(`\n${MARK}\n`).slice(1);
  const code = await ended;
  if (code !== 0) throw new Error(`${commands[printed.length - 1]}\nended with ${code}\n${printed.at(-1)}\n${errors}`);
  return printed;
}
