import type { System } from "../../../queues/system.ts";
import { WRONG_CALL } from "../../../runtime/take-no-arguments.ts";
import { type Command, Refusal, WrongCall } from "./command.ts";
import { explainError } from "./explain-error.ts";
import { commandHelp, helpText } from "./help-text.ts";
import { type ParsedCall, type Program, parseCall } from "./parse-call.ts";
import { openBars } from "./progress-bars.ts";

const DONE = 0;
const FAILED = 1;

/** Where a command prints, and the databases that it uses. */
export interface Surroundings {
  print(text: string): void;
  complain(text: string): void;
  /** Whether a person watches the progress of long work. */
  isTerminal: boolean;
  /** Called at most once. `close` is then called when the command has ended. */
  openDatabases(): System | Promise<System>;
  /**
   * Waits until the databases that the command needs respond. Throws a Refusal if they do not. Returns what is wrong with
   * them.
   */
  reach(system: System, needsRedis: boolean): Promise<string[]>;
  close(system: System): Promise<void>;
}

const ofProcess: Surroundings = {
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
  isTerminal: process.stderr.isTTY,
  // Loaded only if a command needs them, because the drivers take most of a command's start-up time.
  openDatabases: async () => (await import("./own-databases.ts")).openOwnDatabases(),
  reach: async ({ redis }, needsRedis) => (await import("./own-databases.ts")).reachDatabases(redis, needsRedis),
  close: (system) => system.close(),
};

/** Runs a command line and prints its report, or why it is rejected. Returns the exit code. */
export async function runCommandLine(
  line: readonly string[],
  program: Program,
  surroundings = ofProcess,
): Promise<number> {
  const { print, complain } = surroundings;
  let call: ParsedCall;
  try {
    call = parseCall(program, line);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    complain(error.message);
    return WRONG_CALL;
  }
  const { command, asksHelp } = call;
  if (command === undefined || asksHelp) {
    print(command ? commandHelp(program, command) : helpText(program));
    return DONE;
  }
  return runCommand({ ...call, command }, program, surroundings);
}

async function runCommand(
  { command, asksJson, ...call }: ParsedCall & { command: Command },
  { common }: Program,
  { print, complain, isTerminal, openDatabases, reach, close }: Surroundings,
) {
  const bars = openBars(isTerminal && !asksJson);
  let opening: Promise<System> | undefined;
  let opened: System | undefined;
  const open = async () => {
    opening ??= Promise.try(openDatabases);
    opened = await opening;
    for (const misfit of await reach(opened, !command.isWithoutRedis)) complain(misfit);
    return opened;
  };
  try {
    const { lines, data, hasFailed } = await command.run({ ...call, open, progress: bars.progress });
    bars.stop();
    const which = {
      ...(command.name && { command: command.name }),
      ...("dry-run" in common && { isDryRun: call.isDryRun }),
    };
    if (asksJson || lines.length > 0) print(asksJson ? JSON.stringify({ ...which, ...data }) : lines.join("\n"));
    return hasFailed ? FAILED : DONE;
  } catch (error) {
    bars.stop();
    complain(explainError(error, opened));
    return error instanceof WrongCall ? WRONG_CALL : FAILED;
  } finally {
    if (opened) await close(opened);
  }
}
