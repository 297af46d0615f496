import { Type } from "typebox";
import { ApiUserOrder, LoginAnswer, PLATFORM, TokenOrder } from "../../schemas/token.ts";
import type { Signer } from "../access/sign-token.ts";
import { Nothing, tenantRoute } from "../http/route.ts";
import { apiUserResource, UserName } from "../installation/api-users.ts";
import type { InstallationWorld } from "../installation/resource.ts";
import { revokeTokens } from "../installation/revoke-tokens.ts";
import { issueToken } from "../installation/tokens.ts";
import { resourceRoutes } from "./resource-routes.ts";

export interface AccessWorld extends InstallationWorld {
  /** Signs tokens; undefined where another issuer does. */
  signer: Signer | undefined;
}

const { password: _, ...granted } = ApiUserOrder.properties;
const shown = { name: Type.String({ description: "Name of the user", examples: ["till-7"] }), ...granted };
const password = Type.Optional(
  Type.String({ description: "The password that was made for this answer, shown only here" }),
);

/** Who may call a tenant's interfaces: its users, and tokens that the operator hands out. */
export const access = (world: AccessWorld) => [
  ...resourceRoutes({
    resource: apiUserResource(world),
    of: "tenant",
    path: "/users/:userName",
    answer: Type.Object(shown, { title: "ApiUser" }),
    made: { answer: Type.Object({ ...shown, password }, { title: "SavedApiUser" }), secretFields: ["password"] },
    read: PLATFORM,
    write: PLATFORM,
    operationIds: { list: "listUsers", get: "getUser", put: "putUser", remove: "deleteUser" },
    summaries: {
      list: "Every API user of the tenant",
      get: "One API user",
      put: "Make or change an API user, which logs in for tokens",
      remove: "Remove an API user; its tokens are refused within seconds",
    },
    description: "Names are unique over all tenants. A password is stored as its scrypt hash only.",
  }),

  tenantRoute({
    method: "DELETE",
    path: "/users/:userName/tokens",
    operationId: "revokeUserTokens",
    summary: "End every token and session that an API user has been given",
    description:
      "They are refused within five seconds. The user stays: it may log in again, and is given new ones. A new password beside it " +
      "keeps out whoever has the former one.",
    scope: PLATFORM,
    isForPlatform: true,
    params: Type.Object({ userName: UserName }),
    answers: { 204: Nothing },
    problems: ["not-found"],
    async handle({ tenant, params: { userName } }) {
      // A name that is mistyped must not read as revoked.
      await apiUserResource(world).one(tenant, userName);
      await revokeTokens(world, tenant, userName);
      return { status: 204 };
    },
  }),

  tenantRoute({
    method: "POST",
    path: "/tokens",
    operationId: "issueToken",
    summary: "Sign a token for the tenant",
    description:
      "It is stored nowhere, and the operator can end it where it has a `subject` (`npm run api-user -- revoke`). A repetition under one `Idempotency-Key` is answered without it. " +
      "Where tokens come from an issuer of the operator's own, there is none (404).",
    scope: PLATFORM,
    isForPlatform: true,
    body: TokenOrder,
    answers: { 201: LoginAnswer },
    problems: ["no-login"],
    handle: async ({ tenant, body }) => ({
      status: 201,
      body: { token: await issueToken(world, tenant, body), tokenType: "JWT" },
      secretFields: ["token"],
    }),
  }),
];
