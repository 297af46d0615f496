import { createRequire } from "node:module";
import type { Logger } from "pino";
import { differingSettings, type SettingName } from "../schemas/environment.ts";

const { version } = createRequire(import.meta.url)("../package.json") as { version: string };

/** Logs what an operator first needs to know about a process: its version, and the settings that differ from the defaults. */
export function logStart(log: Logger, names: readonly SettingName[]): void {
  log.info({ version, node: process.versions.node, settings: differingSettings(names) }, "the process is starting");
}
