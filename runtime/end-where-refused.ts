import { type SettingName, SettingsError } from "../schemas/environment.ts";
import { refuse } from "./read-settings.ts";

/** Exit code of a process that could not listen. Started again it would only find its port taken again. */
export const PORT_TAKEN_CODE = 98;

/** Exit code of a process that has started and would be refused again each time (EX_CONFIG of sysexits.h). */
export const REFUSED_CODE = 78;

/**
 * Ends this process where opening it failed because another listens on its port, or because a setting cannot be used; the
 * one line says what to change.
 */
export const endWhereRefused =
  (setting: SettingName) =>
  (error: NodeJS.ErrnoException & { port?: number }): never => {
    if (error instanceof SettingsError) return refuse(error.message);
    if (error.code !== "EADDRINUSE") throw error;
    process.stderr.write(`Port ${error.port} is in use: set ${setting} to another one.\n`);
    process.exit(PORT_TAKEN_CODE);
  };
