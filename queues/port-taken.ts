import type { SettingName } from "../schemas/environment.ts";

/** Exit code of a process that could not listen. Started again it would only find its port taken again. */
export const PORT_TAKEN_CODE = 98;

/** Ends this process where opening it failed because another listens on its port; the one line says what to change. */
export const endWherePortIsTaken =
  (setting: SettingName) =>
  (error: NodeJS.ErrnoException & { port?: number }): never => {
    if (error.code !== "EADDRINUSE") throw error;
    process.stderr.write(`Port ${error.port} is taken: set ${setting} to another.\n`);
    process.exit(PORT_TAKEN_CODE);
  };
