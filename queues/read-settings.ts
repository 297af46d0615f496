import { type Environment, readEnvironment, type SettingName, SettingsError } from "../schemas/environment.ts";

/** Settings of a process: with wrong ones it says what is wrong in plain words, and does not start. */
export function readSettings<const N extends SettingName, const O extends SettingName = never>(
  names: readonly N[],
  lackable: readonly O[] = [],
  source?: NodeJS.ProcessEnv,
): Environment<N, O> {
  try {
    return readEnvironment(names, lackable, source);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
