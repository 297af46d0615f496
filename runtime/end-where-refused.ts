import { type SettingName, SettingsError } from "../schemas/environment.ts";
import { refuse } from "./read-settings.ts";

/** Exit code of a process whose port is taken. A restart would not help. */
export const PORT_TAKEN_CODE = 98;

/**
 * Exit code of a process that has started but must not run, for example because its Redis evicts jobs. A restart would not help
 * (EX_CONFIG in sysexits.h).
 */
export const REFUSED_CODE = 78;

/**
 * Ends this process if it could not open because its port is taken or a setting cannot be used. It prints one line, which says
 * what to change.
 */
export const endWhereRefused =
  (setting: SettingName) =>
  (error: NodeJS.ErrnoException & { port?: number }): never => {
    if (error instanceof SettingsError) return refuse(error.message);
    if (error.code !== "EADDRINUSE") throw error;
    process.stderr.write(`Port ${error.port} is in use: set ${setting} to another one.\n`);
    process.exit(PORT_TAKEN_CODE);
  };
