import * as client from "openid-client";
import { type ClaimMapping, mapClaims, type Person } from "../../../domain/access/map-claims.ts";
import type { Environment } from "../../../schemas/environment.ts";
import { roleMap } from "../../../schemas/role-map.ts";

export type ProviderSettings = Environment<
  | "PUBLIC_URL"
  | "BASE_PATH"
  | "OIDC_ISSUER"
  | "OIDC_CLIENT_ID"
  | "OIDC_CLIENT_SECRET"
  | "OIDC_SCOPE"
  | "OIDC_NAME"
  | "OIDC_USER_CLAIM"
  | "OIDC_TENANT"
  | "OIDC_TENANT_CLAIM"
  | "OIDC_STORES_CLAIM"
  | "OIDC_ROLES_CLAIM"
  | "OIDC_ROLES"
>;

/** What a browser keeps on its way to the provider and back; proves that both belong to the same login. */
export interface Transaction {
  state: string;
  nonce: string;
  verifier: string;
}

/**
 * Why a login through the provider failed. `unreachable` may be temporary, `refused` concerns this login, and the others
 * require a change to the person's rights.
 */
export type SignOnFault = "unreachable" | "refused" | "noUser" | "noRole" | "noTenant" | "noStores";

export class SignOnError extends Error {
  override readonly name = "SignOnError";
  readonly fault: SignOnFault;
  constructor(fault: SignOnFault, cause?: unknown) {
    super(`the login through the identity provider failed: ${fault}`, { cause });
    this.fault = fault;
  }
}

/** An identity provider with OpenID Connect: authorization code flow with PKCE. All methods throw a SignOnError. */
export interface Provider {
  /** The provider's name on the button. */
  name: string;
  /** Whether browsers reach the pages over https, so that a login's cookies are restricted to https. */
  isSecure: boolean;
  /** Returns where to send the browser, and what to keep for its return. */
  begin(): Promise<{ url: URL; transaction: Transaction }>;
  /** Returns the person who has logged in, given the query that the provider added to the address. */
  finish(query: string, transaction: Transaction): Promise<Person & { idToken: string }>;
  /** Returns where the person logs out at the provider; undefined if it offers no logout. */
  endUrl(idToken: string): Promise<URL | undefined>;
}

export const CALLBACK = "/login/callback";
const TIMEOUT_SECONDS = 5;
/** The provider's addresses are read again after this time. */
const DISCOVERY_TTL_MS = 3_600_000;

/**
 * Opens the provider that the settings name; undefined if they name none. It is first called at the first login. A call
 * without a response fails after `timeoutSeconds`.
 */
export function openProvider(
  settings: ProviderSettings,
  clock: () => number,
  timeoutSeconds = TIMEOUT_SECONDS,
): Provider | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID = "", OIDC_CLIENT_SECRET = "", PUBLIC_URL = "", BASE_PATH = "" } = settings;
  if (OIDC_ISSUER === undefined) return undefined;
  const issuer = new URL(OIDC_ISSUER);
  const origin = `${PUBLIC_URL}${BASE_PATH}`;
  const mapping = mappingOf(settings);
  let known: { at: number; configuration: Promise<client.Configuration> } | undefined;

  function discover(): Promise<client.Configuration> {
    if (known !== undefined && clock() - known.at < DISCOVERY_TTL_MS) return known.configuration;
    // A login waiting for another login's discovery gets the same error.
    const discovery = client.discovery(issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, undefined, {
      timeout: timeoutSeconds,
      // The signature of an ID token is checked even though the token arrives over Shelfwire's own connection.
      execute: [
        client.enableNonRepudiationChecks,
        ...(issuer.protocol === "http:" ? [client.allowInsecureRequests] : []),
      ],
    });
    const begun = {
      at: clock(),
      configuration: discovery.catch((error: unknown) => {
        if (known === begun) known = undefined;
        throw new SignOnError("unreachable", error);
      }),
    };
    known = begun;
    return begun.configuration;
  }

  return {
    name: settings.OIDC_NAME,
    isSecure: origin.startsWith("https://"),

    async begin() {
      const configuration = await discover();
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: `${origin}${CALLBACK}`,
        scope: settings.OIDC_SCOPE,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
      });
      return { url, transaction: { state, nonce, verifier } };
    },

    async finish(query, { state, nonce, verifier }) {
      const configuration = await discover();
      try {
        const tokens = await client.authorizationCodeGrant(configuration, new URL(`${origin}${CALLBACK}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims() ?? { sub: "" };
        const isAsked = configuration.serverMetadata().userinfo_endpoint !== undefined;
        const more = isAsked ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
        const person = mapClaims({ ...more, ...claims }, mapping);
        if (typeof person === "string") throw new SignOnError(person);
        return { ...person, idToken: tokens.id_token ?? "" };
      } catch (error) {
        if (error instanceof SignOnError) throw error;
        throw new SignOnError(isOfNetwork(error) ? "unreachable" : "refused", error);
      }
    },

    async endUrl(idToken) {
      const configuration = await discover();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      const back = { id_token_hint: idToken, post_logout_redirect_uri: `${origin}/login` };
      return client.buildEndSessionUrl(configuration, back);
    },
  };
}

function mappingOf(settings: ProviderSettings): ClaimMapping {
  const { OIDC_TENANT: id, OIDC_TENANT_CLAIM: claim } = settings;
  return {
    user: settings.OIDC_USER_CLAIM,
    tenant: claim !== undefined ? { claim } : id !== undefined ? { id } : undefined,
    stores: settings.OIDC_STORES_CLAIM,
    roles: settings.OIDC_ROLES_CLAIM,
    roleOf: roleMap(settings.OIDC_ROLES),
  };
}

/** Whether the provider did not respond, or did not respond like an identity provider; any other error is a refusal. */
const isOfNetwork = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof client.ClientError && ["OAUTH_TIMEOUT", "OAUTH_ABORT"].includes(error.code ?? ""));
