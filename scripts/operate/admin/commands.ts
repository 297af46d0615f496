import type { Command } from "./command.ts";
import { activityVerifyCommand } from "./commands/activity.ts";
import { apply } from "./commands/apply.ts";
import { exportCommand, importCommand } from "./commands/archive.ts";
import { labelCatalogueCommand, labelTypeAddCommand } from "./commands/label-catalogue.ts";
import { explainCommand, integrityCommand } from "./commands/labels.ts";
import { proofKeyCommand, verifyProofCommand } from "./commands/proofs.ts";
import { resourceCommands } from "./commands/resources.ts";
import { restoredCommand } from "./commands/restored.ts";
import { tenantRemove, tenantRestore } from "./commands/tenant-removal.ts";
import { tokenIssue } from "./commands/token.ts";
import { commonOptions, type Program } from "./parse-call.ts";

/** Every command of `npm run admin`, in the order of the help text. A new command is a file in `commands/` and a row here. */
export const commands: readonly Command[] = [
  apply,
  ...resourceCommands,
  labelCatalogueCommand,
  labelTypeAddCommand,
  tokenIssue,
  tenantRemove,
  tenantRestore,
  explainCommand,
  integrityCommand,
  proofKeyCommand,
  verifyProofCommand,
  activityVerifyCommand,
  exportCommand,
  importCommand,
  restoredCommand,
];

/** `npm run admin`. */
export const admin: Program = { call: "npm run admin --", commands, common: commonOptions };
