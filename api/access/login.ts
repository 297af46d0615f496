import Router from "@koa/router";
import type { Middleware } from "koa";
import type { ApiUser } from "../../records/kinds/api-user.ts";
import type { LoginAnswer } from "../../schemas/token.ts";
import { ProblemError } from "../http/problem-error.ts";
import { clientAddress } from "./client-address.ts";
import type { Attempt, LoginPauses } from "./login-pauses.ts";
import { isPasswordOf } from "./passwords.ts";
import { BusyError, createSlots } from "./slots.ts";

interface LoginWorld {
  login: {
    /** Signs a token for a user; absent where another issuer signs them. */
    issue?: ((user: ApiUser) => Promise<string>) | undefined;
    findUser(name: string): Promise<ApiUser | undefined>;
    pauses: LoginPauses;
    trustedProxies: number;
  };
}

const PATH = "/api/public/auth/v1/login";
const CHALLENGE = { "www-authenticate": 'Basic realm="shelfwire", charset="UTF-8"' };
/** scrypt takes tens of milliseconds of one core per password: a flood of logins must leave time for other calls. */
const MAX_CONCURRENT_CHECKS = 2;
const MAX_WAITING_CHECKS = 50;

/**
 * `GET {origin}/api/public/auth/v1/login`, and the same below a store's address: an access token for a name and password
 * (RFC 7617). Neither the answer nor its duration reveals whether a user name exists.
 */
export function login({ login: { issue, findUser, pauses, trustedProxies } }: LoginWorld): Router {
  const withSlot = createSlots(MAX_CONCURRENT_CHECKS, MAX_WAITING_CHECKS);

  /** The user of these credentials. The pause is checked inside the slot, so concurrent guesses cannot pass it together. */
  async function check(attempt: Attempt, password: string): Promise<ApiUser> {
    return withSlot(async () => {
      await refusePaused(pauses, attempt);
      const user = await findUser(attempt.userName);
      if (await isPasswordOf(user?.password, password)) {
        await pauses.succeeded(attempt);
        if (user) return user;
      }
      await pauses.failed(attempt);
      throw new ProblemError("wrong-credentials", "The user name or the password is not right.", {
        headers: CHALLENGE,
      });
    });
  }

  const answer: Middleware = async (context) => {
    if (issue === undefined)
      throw new ProblemError("no-login", "Tokens come from the issuer whose keys this server uses: ask there.");
    const { userName, password } = credentialsOf(context.get("authorization"));
    const attempt = { userName, address: clientAddress(context.req, trustedProxies) };
    const user = await check(attempt, password).catch((error: unknown) => {
      if (!(error instanceof BusyError)) throw error;
      throw new ProblemError("busy", "Too many log in at once.", { headers: { "retry-after": "5" } });
    });
    const { tenantId, storeId } = context.params as { tenantId?: string; storeId?: string };
    if (tenantId !== undefined && tenantId !== user.tenant)
      throw new ProblemError("forbidden", `The user is not of the tenant "${tenantId}".`);
    if (storeId !== undefined && user.stores !== "*" && !user.stores.includes(storeId))
      throw new ProblemError("forbidden", `The user is not of the store "${storeId}".`);
    context.body = { token: await issue(user), tokenType: "JWT" } satisfies LoginAnswer;
  };

  const router = new Router({ strict: true, sensitive: true });
  router.get(PATH, answer as never);
  router.get(`/t/:tenantId/s/:storeId${PATH}`, answer as never);
  return router;
}

async function refusePaused(pauses: LoginPauses, attempt: Attempt): Promise<void> {
  const seconds = await pauses.left(attempt);
  if (seconds === 0) return;
  throw new ProblemError("too-many-failed-logins", `Logins failed too often. Try again in ${seconds} s.`, {
    headers: { "retry-after": String(seconds) },
  });
}

/** Name and password of an Authorization header. A header that cannot be parsed counts as wrong credentials. */
function credentialsOf(header: string): { userName: string; password: string } {
  const [, packed = ""] = /^Basic +([\w+/=-]+)$/i.exec(header) ?? [];
  const text = Buffer.from(packed, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) {
    throw new ProblemError("wrong-credentials", "Send the header `Authorization: Basic <name:password in base64>`.", {
      headers: CHALLENGE,
    });
  }
  return { userName: text.slice(0, colon), password: text.slice(colon + 1) };
}
