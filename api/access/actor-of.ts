import type { Actor } from "../../schemas/actor.ts";
import { PLATFORM } from "../../schemas/token.ts";
import type { Permit } from "./verify-token.ts";

/** Name of a caller for people. */
export const authorOf = ({ subject, caller }: Pick<Permit, "subject" | "caller">): string => subject ?? caller;

/** Who acts with these rights, and by which way. */
export const actorOf = (permit: Pick<Permit, "subject" | "caller" | "scopes" | "role" | "hasSession">): Actor => ({
  kind: kindOf(permit),
  id: authorOf(permit),
  channel: permit.hasSession ? "pages" : "interface",
});

function kindOf({ scopes, role, hasSession }: Pick<Permit, "scopes" | "role" | "hasSession">): Actor["kind"] {
  if (scopes.has(PLATFORM)) return "operator";
  if (hasSession) return "user";
  return role === "till" ? "till" : "api-user";
}
