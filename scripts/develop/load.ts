import { runCommandLine } from "../operate/admin/run-command-line.ts";
import { load } from "./load/program.ts";

/** Measures what an installation can carry (docs/operations/scale.md#how-much-can-this-installation-carry). */
export const program = load;
if (import.meta.main) process.exitCode = await runCommandLine(process.argv.slice(2), program);
