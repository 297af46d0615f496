import type { IncomingMessage } from "node:http";
import type { Context } from "koa";
import { isOfSecurePage } from "./same-origin.ts";

const NAME = "shelfwire-session";
const ID_PATTERN = /^[\w-]{43}$/;

/** The id of the session that a request's cookie names; undefined where it has none, or one of another form. */
export function sessionIdOf({ headers: { cookie = "" } }: Pick<IncomingMessage, "headers">): string | undefined {
  const named = cookie.split(/; */).find((pair) => pair.startsWith(`${NAME}=`));
  const id = named?.slice(NAME.length + 1);
  return id !== undefined && ID_PATTERN.test(id) ? id : undefined;
}

/**
 * Gives the browser a session's cookie, or takes it away with 0 seconds. No script reads it, no other site's page has it
 * sent, and it goes over https only where the login page came over https.
 */
export function setSessionCookie(context: Context, id: string, seconds: number): void {
  const secure = isOfSecurePage(context.headers) ? "; Secure" : "";
  context.append("set-cookie", `${NAME}=${id}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`);
}
