import { readFileSync } from "node:fs";
import { closest } from "fastest-levenshtein";
import { WRONG_CALL } from "../../../runtime/take-no-arguments.ts";
import { runCommandLine } from "../admin/run-command-line.ts";
import { completionScript, isShell, shells } from "./completion.ts";
import { programs } from "./programs.ts";

const DONE = 0;

/** Runs a command line of `shelfwire`. Returns the exit code. */
export async function shelfwire([name = "help", ...line]: readonly string[]): Promise<number> {
  if (name === "--version") return print(versionOf());
  if (name === "help" && line[0] !== undefined) return shelfwire([line[0], "help", ...line.slice(1)]);
  if (name === "help" || name === "--help") return print(helpText());
  if (name === "completion") return complete(line);
  const listed = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (listed === undefined) {
    const near = closest(name, [...Object.keys(programs), "completion", "help"]);
    return refuse(`The command "${name}" does not exist. Did you mean "${near}"? shelfwire help lists the commands.`);
  }
  const { program } = await listed.load();
  const isSingle = program.commands.some((command) => command.name === "");
  const [first, ...others] = line;
  return runCommandLine(isSingle && first === "help" ? ["--help", ...others] : line, {
    ...program,
    call: `shelfwire ${name}`,
  });
}

async function complete([shell = "", ...others]: readonly string[]): Promise<number> {
  const usage = `usage: shelfwire completion ${shells.join("|")}`;
  if (shell === "--help" || shell === "help")
    return print(`${usage}\nprint a script that completes commands and options`);
  if (!isShell(shell) || others.length > 0)
    return refuse(
      `completion requires the name of one shell, ${shells.join(", ")}, not "${[shell, ...others].join(" ")}"`,
    );
  return print(await completionScript(shell));
}

const versionOf = (): string =>
  JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")).version;

function helpText(): string {
  const rows = [
    ...Object.entries(programs).map(([name, { means }]) => [name, means] as const),
    ["completion SHELL", `print a script that completes commands and options in ${shells.join(", ")}`] as const,
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    "usage: shelfwire COMMAND [arguments] [options]",
    "",
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    "",
    "shelfwire COMMAND --help prints the usage of a command, shelfwire --version the version.",
    "Settings are environment variables. Exit codes: 0 done, 1 rejected or failed, 2 invalid command line.",
  ].join("\n");
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return DONE;
}

function refuse(text: string): number {
  process.stderr.write(`${text}\n`);
  return WRONG_CALL;
}
