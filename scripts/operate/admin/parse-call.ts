import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";
import { type Call, type Command, type CommandOption, type Options, Refusal, type Values } from "./command.ts";

/** Options that every command has. */
export const commonOptions = {
  json: { means: "print one JSON object instead of lines" },
  "dry-run": { means: "change nothing, and print what would be changed" },
  help: { means: "print the usage of the command" },
} as const satisfies Record<string, CommandOption>;

/** The options of a program that has no data for other programs. */
export const helpOption = { help: commonOptions.help };

/** The options of a program that has no dry run. */
export const dataOptions = { json: commonOptions.json, help: commonOptions.help };

/** The called program: one with several commands, or with a single command whose name is empty. */
export interface Program {
  /** The call as messages show it: `npm run admin --`. */
  call: string;
  commands: readonly Command[];
  /** Options of every command, in addition to its own. */
  common: Readonly<Record<string, CommandOption>>;
}

/** A command line: the command with its arguments. `command` is undefined for the general help. */
export interface ParsedCall extends Pick<Call, "arguments" | "options" | "isDryRun"> {
  command: Command | undefined;
  asksHelp: boolean;
  asksJson: boolean;
}

/** Parses a command line. Throws a Refusal that explains what is wrong with it. */
export function parseCall(program: Program, line: readonly string[]): ParsedCall {
  const { call, commands } = program;
  const [first = "help", second = ""] = line;
  const only = commands.find(({ name }) => name === "");
  if (only === undefined && (first === "help" || first === "--help"))
    return { ...noCall, ...findHelp(commands, line.slice(1)) };
  const found =
    only ?? commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first);
  if (found === undefined) throw new Refusal(unknownText(program, first, second));
  const words = found.name.split(" ").filter(Boolean).length;
  const { values, positionals } = parse(program, found, line.slice(words));
  const asksHelp = values.help === true;
  if (!asksHelp) assertArguments(`${call} ${found.name}`.trim(), found, positionals);
  return {
    command: found,
    asksHelp,
    asksJson: values.json === true,
    isDryRun: values["dry-run"] === true,
    arguments: positionals,
    options: values,
  };
}

const noCall = { asksHelp: true, asksJson: false, isDryRun: false, arguments: [], options: {} } as const;

/** `help export` means `export --help`. Without a command, `help` describes all commands. */
const findHelp = (commands: readonly Command[], words: readonly string[]) => ({
  command: words.length > 0 ? commands.find(({ name }) => name === words.join(" ")) : undefined,
});

function parse({ call, common }: Program, { name, options }: Command, args: readonly string[]) {
  const all: Record<string, CommandOption> = { ...options, ...common };
  const config = Object.fromEntries(Object.entries(all).map(([option, means]) => [option, describe(means)]));
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: config });
    return { values: values as Values<Options>, positionals };
  } catch (error) {
    throw new Refusal(`${name || call}: ${(error as Error).message}`);
  }
}

/** Returns an option in the form of Node's parser. */
function describe({ takes, initial, isRepeated }: CommandOption): ParseArgsOptionDescriptor {
  if (takes === undefined) return { type: "boolean", default: false };
  if (isRepeated) return { type: "string", multiple: true, default: [] };
  return { type: "string", ...(initial !== undefined && { default: initial }) };
}

const isAnyNumber = (name: string): boolean => name.endsWith("...");

function assertArguments(called: string, { name: own, arguments: names }: Command, given: readonly string[]): void {
  const name = own || called;
  if (names.some(isAnyNumber)) return;
  const missing = names.slice(given.length);
  if (missing.length > 0) throw new Refusal(`${name} requires ${missing.join(" and ")}`);
  const [excess] = given.slice(names.length);
  if (excess !== undefined)
    throw new Refusal(`${name} takes ${names.length || "no"} arguments: "${excess}" is one too many`);
}

function unknownText({ call, commands }: Program, first: string, second: string): string {
  const near = commands.map(({ name }) => name).filter((name) => name.startsWith(`${first} `));
  if (near.length > 0)
    return `The command "${`${first} ${second}`.trim()}" does not exist. There are ${near.join(", ")}.`;
  return `The command "${first}" does not exist. ${call} help lists them.`;
}
