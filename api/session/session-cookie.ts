import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Context } from "koa";
import { isOfSecurePage } from "./same-origin.ts";

/** The cookie for plain HTTP, over which no browser accepts a cookie that is restricted to https. */
const PLAIN = "shelfwire-session";
/**
 * The cookie over https. With this prefix, a browser accepts it only from this host, over https, so no other host of
 * the domain can plant one.
 */
const HOST = `__Host-${PLAIN}`;
const ID_PATTERN = /^[\w-]{43}$/;

/**
 * Returns the id of the session in a request's cookie; undefined if there is none, or it is malformed. A page served over
 * https uses only the cookie for https.
 */
export function sessionIdOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const id = cookieOf(headers, HOST) ?? (isOfSecurePage(headers) ? undefined : cookieOf(headers, PLAIN));
  return id !== undefined && ID_PATTERN.test(id) ? id : undefined;
}

/** Returns the value of a cookie by its name. */
export const cookieOf = ({ cookie = "" }: IncomingHttpHeaders, name: string): string | undefined =>
  cookie
    .split(/; */)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/**
 * Sets a session cookie. Scripts cannot read it, and pages of other sites do not send it. It is restricted to https only if the
 * login page was served over https; pass `isSecure` if the request may not show how it was served.
 */
export function setSessionCookie(
  context: Context,
  id: string,
  seconds: number,
  isSecure = isOfSecurePage(context.headers),
): void {
  set(context, isSecure ? HOST : PLAIN, id, seconds);
}

/** Deletes both session cookies, because if a planted one remained, the browser would be logged in again. */
export function deleteSessionCookie(context: Pick<Context, "append">): void {
  for (const name of [HOST, PLAIN]) set(context, name, "", 0);
}

function set(context: Pick<Context, "append">, name: string, id: string, seconds: number): void {
  const secure = name === HOST ? "; Secure" : "";
  context.append("set-cookie", `${name}=${id}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`);
}
