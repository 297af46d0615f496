import type { IncomingMessage } from "node:http";
import { ProblemError } from "../http/problem-error.ts";
import { BASIC_CHALLENGE, credentialsOf } from "./credentials.ts";
import { IssuerError } from "./issuer-keys.ts";
import { LOGIN_PATH } from "./login/login.ts";
import { type Permit, TokenError } from "./verify-token.ts";
import type { VerifyUser } from "./verify-user.ts";

/** Returns the rights of a request's caller; throws a ProblemError if the caller cannot be identified. */
export type Identify = (request: IncomingMessage) => Promise<Permit>;

interface IdentifyWorld {
  verify(token: string): Promise<Permit>;
  /** Absent if calls cannot authenticate with a name and password. */
  verifyUser?: VerifyUser | undefined;
  addressOf(request: IncomingMessage): string;
  /** The path below which everything is served. */
  basePath: string;
  hasLogin: boolean;
}

/** The challenge for a call without a token; it has no `error` attribute (RFC 6750, section 3.1). */
export const CHALLENGE = 'Bearer realm="shelfwire"';

/** `description` must be ASCII without quotes. */
export const challenge = (error: string, description?: string): string =>
  `${CHALLENGE}, error="${error}"${description === undefined ? "" : `, error_description="${description}"`}`;

/** Identifies callers by their token, or by name and password if that is allowed. */
export function createIdentify({ verify, verifyUser, addressOf, basePath, hasLogin }: IdentifyWorld): Identify {
  const headers = { "www-authenticate": verifyUser ? `${CHALLENGE}, ${BASIC_CHALLENGE}` : CHALLENGE };
  const headersTaken = [
    "`Authorization: Bearer <token>`",
    verifyUser && "`Authorization: Basic <name:password in base64>`",
  ];
  const login = hasLogin ? `; log in at ${basePath}${LOGIN_PATH} for a token` : "";
  const waysIn = `Send the header ${headersTaken.filter(Boolean).join(" or ")}${login}`;

  async function identifyUser(verifyUser: VerifyUser, header: string, address: string): Promise<Permit> {
    const credentials = credentialsOf(header);
    if (credentials === undefined)
      throw new ProblemError("wrong-credentials", `The header contains no user name and password. ${waysIn}.`, {
        headers,
      });
    try {
      return await verifyUser(credentials, address);
    } catch (error) {
      if (!isProblem(error, "wrong-credentials")) throw error;
      throw new ProblemError("wrong-credentials", `${error.message} ${waysIn}.`, { headers });
    }
  }

  return async (request) => {
    const header = request.headers.authorization ?? "";
    const [scheme = "", token, ...more] = header.split(/ +/);
    if (verifyUser && scheme.toLowerCase() === "basic") return identifyUser(verifyUser, header, addressOf(request));
    if (scheme.toLowerCase() !== "bearer") throw new ProblemError("unauthenticated", `${waysIn}.`, { headers });
    if (token === undefined || more.length > 0) {
      const detail = "The Authorization header must consist of the word Bearer, a space and one token";
      throw new ProblemError("malformed-authorization", `${detail}.`, {
        headers: { "www-authenticate": challenge("invalid_request", detail) },
      });
    }
    return verify(token).catch((error: unknown) => {
      throw tokenProblem(error);
    });
  };
}

/** Returns the problem for a call whose token could not be verified; returns any other error unchanged. */
export function tokenProblem(error: unknown): unknown {
  if (error instanceof IssuerError) {
    return new ProblemError(
      "issuer-unavailable",
      "The keys of the token issuer cannot be fetched, so the token cannot be verified.",
      {
        headers: { "retry-after": "5" },
      },
    );
  }
  if (!(error instanceof TokenError)) return error;
  return new ProblemError("invalid-token", `${error.message}.`, {
    headers: { "www-authenticate": challenge("invalid_token", error.message) },
  });
}

const isProblem = (error: unknown, ...names: readonly ProblemError["problem"][]): error is ProblemError =>
  error instanceof ProblemError && names.includes(error.problem);
