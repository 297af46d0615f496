import type { Actor } from "../../schemas/actor.ts";
import { PLATFORM } from "../../schemas/token.ts";
import type { Permit } from "./verify-token.ts";

/** What no name of a user contains, so that a person of the identity provider is not taken for the user of the same name. */
const OF_PROVIDER = " (SSO)";

/** Name of a caller for people. */
export const authorOf = ({ subject, caller, isPerson }: Pick<Permit, "subject" | "caller" | "isPerson">): string =>
  isPerson ? `${subject}${OF_PROVIDER}` : (subject ?? caller);

/**
 * Who acts with these rights, and by which way. The kind tells apart a user and a person of the identity provider who have the same id;
 * approvals compare the id alone, since one person may have both a session and tokens of the same issuer.
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
