import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAdminHere } from "../../../harness/processes/run-command.ts";
import type { ASystem } from "../../../harness/system.ts";

export const matrix = { width: 296, height: 128, colors: ["white", "black"], display: "matrix", flash: true, pages: 3 };
export const store = {
  name: "Harbour",
  timeZone: "Europe/Zagreb",
  currency: "EUR",
  locale: "hr-HR",
  linkDepartments: [],
};

/** Returns a function that runs an admin command on a system, with the files that the command receives. */
export function adminOn(world: ASystem) {
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-apply-"));
  return {
    run: (...args: string[]) => runAdminHere(world.system, args),
    fileOf(content: unknown): string {
      const file = join(folder, "installation.json");
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
      return file;
    },
    removeFiles: () => rm(folder, { recursive: true }),
  };
}
