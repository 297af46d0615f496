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
  /** Signs tokens; undefined if another issuer does. */
  signer: Signer | undefined;
}

const { password: _, scope: scopeGranted, ...granted } = ApiUserOrder.properties;
const shown = {
  name: Type.String({ description: "Name of the user", examples: ["till-7"] }),
  ...granted,
  scope: Type.String({
    ...scopeGranted,
    description: "The scopes granted, separated by spaces: the role's, if there is one",
  }),
};
const password = Type.Optional(Type.String({ description: "The generated password, shown in this response only" }));

/** Operations on callers of a tenant's interfaces: its users, and tokens that the operator issues. */
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
      list: "List the tenant's API users",
      get: "Get one API user",
      put: "Create or change an API user, which can log in for tokens",
      remove: "Delete an API user; its tokens are rejected within seconds",
    },
    description: "Names are unique across all tenants. Only the scrypt hash of the password is stored.",
  }),

  tenantRoute({
    method: "DELETE",
    path: "/users/:userName/tokens",
    operationId: "revokeUserTokens",
    summary: "Revoke all tokens and sessions of an API user",
    description:
      "They are rejected within five seconds. The user is kept, and can log in again for new tokens. To lock out a person who knows the password, " +
      "also set a new one.",
    scope: PLATFORM,
    isForPlatform: true,
    params: Type.Object({ userName: UserName }),
    answers: { 204: Nothing },
    problems: ["not-found"],
    async handle({ tenant, params: { userName } }) {
      // The response must not suggest that a mistyped name was revoked.
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
      "The token is not stored; if it has a `subject`, the operator can revoke it (`npm run api-user -- revoke`). A repetition with the same `Idempotency-Key` returns a response without the token. " +
      "If tokens come from an external issuer, the response is 404.",
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
