import { apiUser } from "./admin/api-user.ts";
import { runCommandLine } from "./admin/run-command-line.ts";

/** Users that may log in (docs/operations/README.md#commands). */
export const program = apiUser;
if (import.meta.main) process.exitCode = await runCommandLine(process.argv.slice(2), program);
