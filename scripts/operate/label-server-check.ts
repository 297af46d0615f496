import { readCommandLine } from "../develop/command-line.ts";
import { Refusal } from "./admin/command.ts";
import { checkOptions, readCheck } from "./label-server-check/read-check.ts";
import { runCheckAt } from "./label-server-check/run-check.ts";
import { countLine, verdictLines } from "./label-server-check/verdict-lines.ts";

const WRONG_CALL = 2;

const { arguments: given, options } = readCommandLine("npm run label-server-check --", {
  arguments: ["URL"],
  means: "play Shelfwire against a label server, and report which rules of the protocol it keeps",
  options: checkOptions,
});

/** Tries the rules of docs/label-servers/README.md. */
async function check(): Promise<void> {
  const print = (lines: readonly string[]) => process.stdout.write(`${lines.join("\n")}\n`);
  const { port, settings } = readCheck(given[0] ?? "", options);
  if (!options.json) print([`reports are expected at port ${port}, path /label-server/v1/reports`]);
  const verdicts = await runCheckAt(port, settings, (verdict) => options.json || print(verdictLines(verdict)));
  print([options.json ? JSON.stringify({ url: settings.url, verdicts }) : countLine(verdicts)]);
  if (verdicts.some(({ result }) => result === "failed")) process.exitCode = 1;
}

try {
  await check();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = error instanceof Refusal ? WRONG_CALL : 1;
}
