import { userInfo } from "node:os";
import type { System } from "../../../queues/system.ts";
import { openCallNotes } from "../../../records/activity/call-notes.ts";
import { tenantKey } from "../../../schemas/keys.ts";

/** Records in the activity log what a command has changed in a tenant, with the operating system's user as its actor. */
export async function noteCommand(
  { db, databaseNow }: Pick<System, "db" | "databaseNow">,
  tenant: string,
  operation: string,
  names: Readonly<Record<string, string>>,
): Promise<void> {
  const actor = { kind: "operator", id: userInfo().username, channel: "command" } as const;
  await openCallNotes(db, databaseNow).begin(tenantKey(tenant), { actor, operation, names, fields: [] }, "DONE");
}
