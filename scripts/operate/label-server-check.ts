import { command, Refusal, type Values, WrongCall } from "./admin/command.ts";
import { dataOptions, type Program } from "./admin/parse-call.ts";
import { runCommandLine } from "./admin/run-command-line.ts";
import { checkOptions, readCheck } from "./label-server-check/read-check.ts";
import { runCheckAt } from "./label-server-check/run-check.ts";
import { countLine, verdictLines } from "./label-server-check/verdict-lines.ts";

/** Tests the rules of docs/label-servers/README.md. */
const check = command({
  name: "",
  arguments: ["URL"],
  means: "act as Shelfwire towards a label server, and report which rules of the protocol it keeps",
  options: checkOptions,
  async run({ arguments: [url = ""], options }) {
    const say = (lines: readonly string[]) => options.json || process.stdout.write(`${lines.join("\n")}\n`);
    const { port, settings } = readGiven(url, options);
    say([`reports are expected at port ${port}, path /label-server/v1/reports`]);
    const verdicts = await runCheckAt(port, settings, (verdict) => say(verdictLines(verdict)));
    const hasFailed = verdicts.some(({ result }) => result === "failed");
    return { lines: [countLine(verdicts)], data: { url: settings.url, verdicts }, hasFailed };
  },
});

function readGiven(url: string, options: Values<typeof checkOptions>) {
  try {
    return readCheck(url, options);
  } catch (error) {
    throw error instanceof Refusal ? new WrongCall(error.message) : error;
  }
}

/** `npm run label-server-check`. */
export const program: Program = { call: "npm run label-server-check --", commands: [check], common: dataOptions };
if (import.meta.main) process.exitCode = await runCommandLine(process.argv.slice(2), program);
