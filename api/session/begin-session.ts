import type { Context } from "koa";
import type { Permit } from "../access/verify-token.ts";
import { deviceOf } from "./device.ts";
import { sessionIdOf, setSessionCookie } from "./session-cookie.ts";
import type { Login, Sessions } from "./sessions.ts";

/**
 * Starts a session in a browser in place of its current one, which would otherwise stay valid for anyone who has its cookie.
 * Returns the session's rights. `isSecure` as for `setSessionCookie`. Throws the errors of `sessions.begin`; the current
 * session then remains.
 */
export async function beginSession(
  context: Context,
  sessions: Pick<Sessions, "begin" | "end">,
  login: Login,
  isSecure?: boolean,
): Promise<Permit> {
  const { id, permit, secondsLeft } = await sessions.begin(login, deviceOf(context.get("user-agent")));
  const former = sessionIdOf(context.req);
  if (former !== undefined) await sessions.end(former);
  setSessionCookie(context, id, secondsLeft, isSecure);
  return permit;
}
