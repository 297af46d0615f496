import type { Actor } from "../../schemas/actor.ts";
import { PLATFORM } from "../../schemas/token.ts";
import type { Permit } from "./verify-token.ts";

/** Name of a caller for people. */
export const authorOf = ({ subject, caller }: Pick<Permit, "subject" | "caller">): string => subject ?? caller;

/** Who acts with these rights, and by which way. */
export const actorOf = (permit: Pick<Permit, "subject" | "caller" | "scopes" | "hasSession">): Actor => ({
  kind: permit.scopes.has(PLATFORM) ? "operator" : permit.hasSession ? "user" : "api-user",
  id: authorOf(permit),
  channel: permit.hasSession ? "pages" : "interface",
});
