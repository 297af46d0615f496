import { type Environment, readEnvironment, type SettingName, SettingsError } from "../schemas/environment.ts";
import { channelFault } from "./launcher-channel.ts";
import { withSecretFiles } from "./secret-files.ts";

/**
 * Reads the settings of a process, and secrets from the files that `NAME_FILE` names. If a setting, or a variable that Node
 * itself reads, is missing or invalid, prints all faults and exits with code 1.
 */
export function readSettings<const N extends SettingName, const O extends SettingName = never>(
  names: readonly N[],
  optional: readonly O[] = [],
  source?: NodeJS.ProcessEnv,
): Environment<N, O> {
  const fault = channelFault();
  if (fault !== undefined) return refuse(fault);
  try {
    return readEnvironment(names, optional, withSecretFiles([...names, ...optional], source));
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return refuse(error.message);
  }
}

/** Ends a process that cannot start with its settings. */
export function refuse(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
