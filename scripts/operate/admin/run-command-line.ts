import type { Redis } from "ioredis";
import { redisMisfits, unreachableDatabases } from "../../../queues/reach-databases.ts";
import { openSystem, type System, systemSettings } from "../../../queues/system.ts";
import { openLog } from "../../../runtime/log.ts";
import { readSettings } from "../../../runtime/read-settings.ts";
import { runningDatabases } from "../../start/running.ts";
import { Refusal, WrongCall } from "./command.ts";
import { commands } from "./commands.ts";
import { explain } from "./explain.ts";
import { commandHelp, helpText } from "./help-text.ts";
import { commonOptions, type ParsedCall, type Program, parseCall } from "./parse-call.ts";
import { openBars } from "./progress-bars.ts";

const DONE = 0;
const FAILED = 1;
const WRONG_CALL = 2;
const DATABASE_TIMEOUT_MS = 60_000;
/** How long a command waits for a Redis that it can do without. */
const OPTIONAL_REACH_MS = 2_000;

/** Where a command prints, and the databases that it works on. */
export interface Surroundings {
  print(text: string): void;
  complain(text: string): void;
  /** Whether a person sees the progress of long work. */
  isTerminal: boolean;
  /** Called once at most; `close` then, when the command has ended. */
  openDatabases(): System;
  /**
   * Waits until the databases that the command needs respond; throws a Refusal if they do not. Returns what is wrong
   * with them.
   */
  reach(system: System, needsRedis: boolean): Promise<string[]>;
  close(system: System): Promise<void>;
}

const ofProcess: Surroundings = {
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
  isTerminal: process.stderr.isTTY,
  openDatabases,
  reach: ({ redis }, needsRedis) => reachDatabases(redis, needsRedis),
  close: (system) => system.close(),
};

/** `npm run admin`. */
export const admin: Program = { call: "npm run admin --", commands, common: commonOptions };

/** Runs a command line and prints its report, or why it is rejected; returns the exit code. */
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
  { command, asksJson, ...call }: ParsedCall & { command: (typeof commands)[number] },
  { common }: Program,
  { print, complain, isTerminal, openDatabases, reach, close }: Surroundings,
) {
  const bars = openBars(isTerminal && !asksJson);
  let opened: System | undefined;
  const open = async () => {
    opened ??= openDatabases();
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
    complain(explain(error, opened));
    return error instanceof WrongCall ? WRONG_CALL : FAILED;
  } finally {
    if (opened) await close(opened);
  }
}

/** The databases of the environment, otherwise of the instance that runs on DATA_DIR; without sweeps, which workers make. */
function openDatabases(): System {
  const system = openSystem(readDatabaseSettings(), openLog("admin", "error", process.stderr), DATABASE_TIMEOUT_MS);
  system.sweeper.stop();
  return system;
}

async function reachDatabases(redis: Redis, needsRedis: boolean): Promise<string[]> {
  const settings = readDatabaseSettings();
  const redisReachMs = needsRedis ? undefined : OPTIONAL_REACH_MS;
  const faults = await unreachableDatabases(redis, settings, undefined, redisReachMs);
  const hindering = faults.filter((fault) => needsRedis || !fault.startsWith("REDIS_"));
  if (hindering.length > 0) throw new Refusal(hindering.join("\n"));
  return redis.status === "ready" ? Object.values(await redisMisfits(redis, settings)) : faults;
}

function readDatabaseSettings() {
  const { DATA_DIR } = readSettings(["DATA_DIR"]);
  return readSettings(systemSettings, [], { ...runningDatabases(DATA_DIR), ...process.env });
}
