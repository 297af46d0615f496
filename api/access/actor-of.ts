import type { Actor } from "../../schemas/actor.ts";
import { PLATFORM } from "../../schemas/token.ts";
import type { Permit } from "./verify-token.ts";

/**
 * A suffix that no user name contains, so that a person from the identity provider is not mistaken for a user with that name.
 */
const OF_PROVIDER = " (SSO)";

/** A caller's name as shown to people. */
export const authorOf = ({ subject, caller, isPerson }: Pick<Permit, "subject" | "caller" | "isPerson">): string =>
  isPerson ? `${subject}${OF_PROVIDER}` : (subject ?? caller);

/**
 * Who acts with these rights. The kind distinguishes a user from a person of the identity provider who has the same id.
 * Approvals compare only the id, since one person may have both a session and tokens of the same issuer.
 */
export const actorOf = (permit: ActingPermit): Actor => ({
  kind: kindOf(permit),
  id: permit.subject ?? permit.caller,
  channel: permit.hasSession ? "pages" : "interface",
});

type ActingPermit = Pick<Permit, "subject" | "caller" | "scopes" | "role" | "isPerson" | "hasSession">;

function kindOf({ scopes, role, isPerson, hasSession }: ActingPermit): Actor["kind"] {
  if (scopes.has(PLATFORM)) return "operator";
  if (isPerson) return "sso-user";
  if (hasSession) return "user";
  return role === "till" ? "till" : "api-user";
}
