import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Context } from "koa";
import { isOfSecurePage } from "./same-origin.ts";

/** Over plain HTTP, if no browser takes a cookie that is for https alone. */
const PLAIN = "shelfwire-session";
/** Over https. By this prefix a browser takes the cookie from this host alone, and over https: no neighbour can plant one. */
const HOST = `__Host-${PLAIN}`;
const ID_PATTERN = /^[\w-]{43}$/;

/**
 * The id of the session that a request's cookie names; undefined if it has none, or one of another form. A page that
 * came over https is known by the cookie for https alone.
 */
export function sessionIdOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const id = cookieOf(headers, HOST) ?? (isOfSecurePage(headers) ? undefined : cookieOf(headers, PLAIN));
  return id !== undefined && ID_PATTERN.test(id) ? id : undefined;
}

const cookieOf = ({ cookie = "" }: IncomingHttpHeaders, name: string): string | undefined =>
  cookie
    .split(/; */)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/**
 * Returns the browser a session's cookie, or takes it away with 0 seconds. No script reads it, no other site's page has
 * it sent, and it goes over https only where the login page came over https.
 */
export function setSessionCookie(context: Context, id: string, seconds: number): void {
  const [name, secure] = isOfSecurePage(context.headers) ? [HOST, "; Secure"] : [PLAIN, ""];
  context.append("set-cookie", `${name}=${id}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`);
}
