import type { System } from "../../../queues/system.ts";

/** An option of a command. An option without a value is a switch. */
export interface CommandOption {
  /** The name of its value, in capitals, for the help text. */
  takes?: string;
  /** The option's default value. An option that takes a value and has no default may be absent. */
  initial?: string;
  /** Whether the option may be repeated. */
  isRepeated?: true;
  means: string;
}

export type Options = Readonly<Record<string, CommandOption>>;

type ValueOf<O extends CommandOption> = O extends { isRepeated: true }
  ? readonly string[]
  : O extends { takes: string }
    ? O extends { initial: string }
      ? string
      : string | undefined
    : boolean;

export type Values<O extends Options> = Options extends O
  ? Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  : { readonly [Name in keyof O]: ValueOf<O[Name]> };

/** A call of a command. */
export interface Call<O extends Options = Options> {
  /** The command's arguments, in the same order as their names. */
  arguments: readonly string[];
  options: Values<O>;
  /** True if nothing may be changed and the command only reports its effect. */
  isDryRun: boolean;
  /** Opens the databases, once. They are closed when the command has ended. */
  open(): Promise<System>;
  /** Shows a progress bar on standard error. Returns the function that sets how much of `total` is done. */
  progress(name: string, total: number): (done: number) => void;
}

/** What a command has done. */
export interface Report {
  /** Text for people, one line each. */
  lines: readonly string[];
  /** Data for programs, printed as one JSON object with `--json`. */
  data: Readonly<Record<string, unknown>>;
  /** True if the command was not rejected but not all of its work succeeded. The exit code is then 1. */
  hasFailed?: boolean;
}

/** A command of `npm run admin`: a row of its help text, and its effect. */
export interface Command<O extends Options = Options> {
  /** One or two words: `export`, `tenant remove`. */
  name: string;
  /** Names of its arguments, in capitals. An argument whose name ends with three dots may be repeated. */
  arguments: readonly string[];
  means: string;
  options: O;
  /** True if it reads MongoDB and uses Redis only if available, so that it runs while Redis is unavailable. */
  isWithoutRedis?: true;
  /** Runs the command. To reject a call, throws a Refusal before it changes anything. */
  run(call: Call<O>): Promise<Report>;
}

/** Defines a command, with the types of its options' values. */
export const command = <const O extends Options>(definition: Command<O>): Command => definition as unknown as Command;

/** Thrown if a command cannot be run with its arguments. The message says what would be right. */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
}

/** A Refusal of the command line itself, found by the command. The exit code is 2. */
export class WrongCall extends Refusal {
  override readonly name = "WrongCall";
}

/** Returns the value of an option that must be a whole number from 1 to 999,999,999. Throws a Refusal for any other value. */
export function countOf(option: string, value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new Refusal(`${option} must be a number from 1 to 999999999, not "${value}"`);
  return Number(value);
}
