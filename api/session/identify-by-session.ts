import type { Identify } from "../access/identify.ts";
import { assertSameOrigin } from "./same-origin.ts";
import { sessionIdOf } from "./session-cookie.ts";
import type { Sessions } from "./sessions.ts";

/**
 * Identifies a call without credentials by the browser's session; identifies all other calls as before. With a session, a
 * call that would change something must come from a page of this origin.
 */
export const identifyBySession =
  (sessions: Pick<Sessions, "read">, identify: Identify): Identify =>
  async (request) => {
    const { method, headers } = request;
    const id = headers.authorization === undefined ? sessionIdOf(request) : undefined;
    const permit = id === undefined ? undefined : await sessions.read(id);
    if (permit === undefined) return identify(request);
    if (method !== "GET" && method !== "HEAD") assertSameOrigin(headers);
    return permit;
  };
