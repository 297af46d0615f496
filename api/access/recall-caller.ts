import type { IncomingMessage } from "node:http";
import { isUnavailable } from "../../records/mongodb/unavailable.ts";
import { ProblemError } from "../http/problem-error.ts";
import { sessionIdOf } from "../session/session-cookie.ts";
import type { Sessions } from "../session/sessions.ts";
import { credentialsOf } from "./credentials.ts";
import { IssuerError } from "./issuer-keys.ts";
import { type Permit, TokenError } from "./verify-token.ts";
import type { UserVerifier } from "./verify-user.ts";

/**
 * Returns a caller's rights if they can be found cheaply; undefined for an unknown caller. `ended` resolves at the end of
 * the call, whether or not its caller was identified.
 */
export type RecallCaller = (request: IncomingMessage, ended: Promise<void>) => Promise<Permit | undefined>;

interface RecallWorld {
  verify(token: string): Promise<Permit>;
  recallUser?: UserVerifier["recall"] | undefined;
  sessions: Pick<Sessions, "read">;
}

/**
 * Recognises callers before any work is done for them: by a valid token, a session, or a password that was verified recently.
 * No password is checked here, because the check is expensive by design. Concurrent calls with the same new password wait until
 * the first of them has been identified.
 */
export function createRecallCaller({ verify, recallUser, sessions }: RecallWorld): RecallCaller {
  async function recall(request: IncomingMessage, ended: Promise<void>): Promise<Permit | undefined> {
    const header = request.headers.authorization;
    if (header === undefined) {
      const id = sessionIdOf(request);
      return id === undefined ? undefined : sessions.read(id);
    }
    const [, token] = /^bearer +(\S+)$/i.exec(header) ?? [];
    if (token !== undefined) return verify(token);
    const credentials = credentialsOf(header);
    return credentials && recallUser?.(credentials, ended);
  }

  return (request, ended) =>
    recall(request, ended).catch((error: unknown) => {
      if (isStranger(error)) return undefined;
      throw error;
    });
}

/** The token is invalid, or the credentials cannot be verified at the moment. */
const isStranger = (error: unknown): boolean =>
  error instanceof TokenError || error instanceof IssuerError || error instanceof ProblemError || isUnavailable(error);
