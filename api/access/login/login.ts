import Router from "@koa/router";
import type { Middleware } from "koa";
import type { ApiUser } from "../../../records/kinds/tenants.ts";
import type { LoginAnswer } from "../../../schemas/token.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { CheckUser } from "../check-user.ts";
import { clientAddress } from "../client-address.ts";
import { BASIC_CHALLENGE, credentialsOf } from "../credentials.ts";

/** The dependencies of logins, by HTTP Basic and by the login page. */
export interface LoginWorld {
  login: {
    /** Signs a token for a user; absent if another issuer signs them. */
    issue?: ((user: ApiUser) => Promise<string>) | undefined;
    checkUser: CheckUser;
    trustedProxies: number;
  };
}

export const LOGIN_PATH = "/api/public/auth/v1/login";

/**
 * `GET {origin}/api/public/auth/v1/login`, and the same below a store's or a tenant's address: returns an access token for a
 * name and password (RFC 7617). Neither the response nor its duration reveals whether a user name exists.
 */
export function login({ login: { issue, checkUser, trustedProxies } }: LoginWorld): Router {
  const answer: Middleware = async (context) => {
    if (issue === undefined)
      throw new ProblemError(
        "no-login",
        "This server does not issue tokens. Get one from the issuer whose keys it uses.",
      );
    const credentials = credentialsOf(context.get("authorization"));
    if (credentials === undefined) {
      throw new ProblemError("wrong-credentials", "Send the header `Authorization: Basic <name:password in base64>`.", {
        headers: { "www-authenticate": BASIC_CHALLENGE },
      });
    }
    const { userName, password } = credentials;
    const user = await checkUser({ userName, address: clientAddress(context.req, trustedProxies) }, password);
    const { tenantId, storeId } = context.params as { tenantId?: string; storeId?: string };
    // Host names are case-insensitive.
    if (tenantId !== undefined && tenantId.toLowerCase() !== user.tenant.toLowerCase())
      throw new ProblemError("forbidden", `The user does not belong to the tenant "${tenantId}".`);
    if (storeId !== undefined && user.stores !== "*" && !user.stores.includes(storeId))
      throw new ProblemError("forbidden", `The user has no access to the store "${storeId}".`);
    // The order matters, because some clients find the token by its position in the text.
    context.body = { tokenType: "JWT", token: await issue(user) } satisfies LoginAnswer;
  };

  const router = new Router({ strict: true, sensitive: true });
  router.get(LOGIN_PATH, answer);
  router.get(`/t/:tenantId${LOGIN_PATH}`, answer);
  router.get(`/t/:tenantId/s/:storeId${LOGIN_PATH}`, answer);
  return router;
}
