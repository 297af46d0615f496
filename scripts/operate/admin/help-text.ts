import type { Command, CommandOption } from "./command.ts";
import type { Program } from "./parse-call.ts";

const DATABASES =
  "Uses the databases in the environment, otherwise those of the instance that npm start runs in DATA_DIR.";
const EXIT_CODES = "Exit codes: 0 done, 1 rejected or failed, 2 invalid command line.";

/** Returns the help text for all commands. */
export function helpText({ call, commands, common }: Program): string {
  const rows = commands.map(({ name, arguments: names, means }) => [[name, ...names].join(" "), means] as const);
  return [
    `usage: ${call} COMMAND [arguments] [options]`,
    "",
    ...table(rows),
    "",
    `Options of every command:`,
    ...table(optionRows(common)),
    "",
    DATABASES,
    EXIT_CODES,
  ].join("\n");
}

/** Returns the help text for one command. */
export const commandHelp = ({ call, common }: Program, { name, arguments: names, means, options }: Command): string =>
  [
    `usage: ${[call, name, ...names].filter(Boolean).join(" ")} [options]`,
    means,
    "",
    ...table(optionRows({ ...options, ...common })),
    "",
    EXIT_CODES,
  ].join("\n");

const optionRows = (options: Readonly<Record<string, CommandOption>>) =>
  Object.entries(options).map(([option, { takes, initial, means }]): readonly [string, string] => [
    `--${option}${takes ? ` ${takes}` : ""}`,
    initial === undefined ? means : `${means} (${initial})`,
  ]);

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
