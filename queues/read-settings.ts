import { type Environment, readEnvironment, type SettingName, SettingsError } from "../schemas/environment.ts";

/** Reads the settings of a process. Where any is missing or wrong it prints all faults and exits with code 1. */
export function readSettings<const N extends SettingName, const O extends SettingName = never>(
  names: readonly N[],
  optional: readonly O[] = [],
  source?: NodeJS.ProcessEnv,
): Environment<N, O> {
  try {
    return readEnvironment(names, optional, source);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
