import { admin } from "./admin/commands.ts";
import { runCommandLine } from "./admin/run-command-line.ts";

/** Operators' commands. `npm run admin -- help` lists them (docs/operations/README.md#commands). */
export const program = admin;
if (import.meta.main) process.exitCode = await runCommandLine(process.argv.slice(2), program);
