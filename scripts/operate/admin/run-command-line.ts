import { readSettings } from "../../../queues/read-settings.ts";
import { openSystem, type System, systemSettings } from "../../../queues/system.ts";
import { openLog } from "../../../queues/tracing/log.ts";
import { runningStores } from "../../start/running.ts";
import { openBars } from "./bars.ts";
import { Refusal } from "./command.ts";
import { commands } from "./commands.ts";
import { explain } from "./explain.ts";
import { commandHelp, helpText } from "./help-text.ts";
import { type ParsedCall, parseCall } from "./parse-call.ts";

const DONE = 0;
const FAILED = 1;
const WRONG_CALL = 2;
const DATABASE_TIMEOUT_MS = 60_000;

/** Where a command prints, and the databases that it works on. */
export interface Surroundings {
  print(text: string): void;
  complain(text: string): void;
  /** Whether a person sees the progress of long work. */
  isTerminal: boolean;
  /** Called once at most; `close` then, when the command has ended. */
  openDatabases(): System;
  close(system: System): Promise<void>;
}

const ofProcess: Surroundings = {
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
  isTerminal: process.stderr.isTTY,
  openDatabases,
  close: (system) => system.close(),
};

/** Runs a command line and prints its report, or why it is refused; gives the exit code. */
export async function runCommandLine(line: readonly string[], surroundings = ofProcess): Promise<number> {
  const { print, complain } = surroundings;
  let call: ParsedCall;
  try {
    call = parseCall(commands, line);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    complain(error.message);
    return WRONG_CALL;
  }
  const { command, asksHelp } = call;
  if (command === undefined || asksHelp) {
    print(command ? commandHelp(command) : helpText(commands));
    return DONE;
  }
  return runCommand({ ...call, command }, surroundings);
}

async function runCommand(
  { command, asksJson, ...call }: ParsedCall & { command: (typeof commands)[number] },
  { print, complain, isTerminal, openDatabases, close }: Surroundings,
) {
  const bars = openBars(isTerminal && !asksJson);
  let opened: System | undefined;
  const open = async () => {
    opened ??= openDatabases();
    await opened.whenReady();
    return opened;
  };
  try {
    const { lines, data, hasFailed } = await command.run({ ...call, open, progress: bars.progress });
    bars.stop();
    print(asksJson ? JSON.stringify({ command: command.name, isDryRun: call.isDryRun, ...data }) : lines.join("\n"));
    return hasFailed ? FAILED : DONE;
  } catch (error) {
    bars.stop();
    complain(explain(error));
    return FAILED;
  } finally {
    if (opened) await close(opened);
  }
}

/** The databases of the environment, else of the instance that runs on DATA_DIR; without sweeps, which workers make. */
function openDatabases(): System {
  const { DATA_DIR } = readSettings(["DATA_DIR"]);
  const settings = readSettings(systemSettings, [], { ...runningStores(DATA_DIR), ...process.env });
  const system = openSystem(settings, openLog("admin", "warn", process.stderr), DATABASE_TIMEOUT_MS);
  system.sweeper.stop();
  return system;
}
