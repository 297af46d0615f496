import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration } from "oidc-provider";
import { KEEP_ALIVE_MS } from "../../../harness/patience.ts";

export const CLIENT = { id: "shelfwire", secret: "the secret of Shelfwire at the provider" };

/** The address at which browsers reach Shelfwire, whatever port it listens on. */
export const PUBLIC_URL = "https://labels.example";

/** The provider's people by their ID, with their claims in addition to `sub`. */
const people: Readonly<Record<string, Record<string, unknown>>> = {
  ana: { groups: ["everyone", "esl-shop"], stores: ["main"] },
  boss: { groups: ["esl-head"], stores: "*" },
  root: { groups: ["esl-admin"] },
  leaver: { groups: ["esl-shop"], stores: ["main"] },
  stranger: { groups: ["everyone"], stores: ["main"] },
  clerk: { realm_access: { roles: ["offline_access", "esl-shop"] }, stores: ["harbour"] },
  homeless: { groups: ["esl-shop"] },
};

/** Opens a real OpenID provider that immediately logs in the person in `login_hint`. It publishes its metadata below any path. */
export async function openIdProvider() {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${PUBLIC_URL}/login/callback`],
        post_logout_redirect_uris: [`${PUBLIC_URL}/login`],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    pkce: { required: () => true },
    ttl: { AuthorizationCode: 3_600 },
    claims: { openid: ["sub"], profile: ["groups", "stores", "realm_access"] },
    scopes: ["openid", "profile", "email"],
    cookies: { keys: ["a key of cookies"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...people[accountId] }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? "",
        accountId: oidc.session?.accountId ?? "",
      });
      grant.addOIDCScope("openid profile email");
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (context, next) => {
    if (!context.path.startsWith("/interaction/")) return next();
    const { params } = await provider.interactionDetails(context.req, context.res);
    await provider.interactionFinished(context.req, context.res, { login: { accountId: String(params.login_hint) } });
    context.respond = false;
  });
  server.on("request", provider.callback());
  return { issuer, close: () => closeServer(server) };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
