import type { Context } from "koa";
import type { Permit } from "../access/verify-token.ts";
import { deviceOf } from "./device.ts";
import { sessionIdOf, setSessionCookie } from "./session-cookie.ts";
import type { Login, Sessions } from "./sessions.ts";

/**
 * Begins a session in a browser in place of the one that it has, which would otherwise stay good for whoever has its cookie. Returns its
 * rights. `isSecure` as for `setSessionCookie`. Throws what `sessions.begin` throws; then the present session stays.
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
