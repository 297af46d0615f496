import type { System } from "../../queues/system.ts";
import { type ApiUser, apiUsers } from "../../records/kinds/tenants.ts";
import { within } from "../../records/mongodb/unavailable.ts";
import { openRevocations } from "../../records/revocations.ts";
import type { Environment } from "../../schemas/environment.ts";
import { apiUserKey } from "../../schemas/keys.ts";
import { scopeOf } from "../../schemas/role.ts";
import { createUserCheck } from "./check-user.ts";
import { clientAddress } from "./client-address.ts";
import { createIdentify, type Identify } from "./identify.ts";
import type { LoginWorld } from "./login/login.ts";
import { createLoginPauses } from "./login/login-pauses.ts";
import { createNoteSeen } from "./login/note-seen.ts";
import { createRecentUsers, type RecentUsers } from "./login/recent-users.ts";
import { type Signer, signToken } from "./sign-token.ts";
import { createTickets, type Tickets } from "./tickets.ts";
import { createVerifier, type IsRevoked, type Permit, type TokenSettings } from "./verify-token.ts";
import { createUserVerifier, type UserVerifier } from "./verify-user.ts";

const USER_TIMEOUT_MS = 900;

type Settings = TokenSettings &
  Environment<"TOKEN_LIFETIME" | "BASIC_AUTH" | "TRUSTED_PROXIES" | "BASE_PATH" | "OIDC_CLIENT_SECRET">;

/** Everything needed to identify callers: tokens, users and logins. */
export interface Access extends LoginWorld {
  verify(token: string): Promise<Permit>;
  identify: Identify;
  /** The dependencies of the pages' sessions. */
  people: {
    isRevoked: IsRevoked;
    tickets: Tickets | undefined;
    findUser: RecentUsers["find"];
    noteSeen(user: ApiUser, at: Date): void;
  };
  /** Absent if calls cannot authenticate with a name and password. */
  recallUser?: UserVerifier["recall"] | undefined;
  /** The secret with which tokens are signed; undefined if an external issuer's keys (JWKS_URL) verify them instead. */
  signer: Signer | undefined;
}

/**
 * Opens access for a process; `patienceMs` as for `openApi`. If another issuer signs the tokens, no call can authenticate
 * with a name and password.
 */
export function openAccess(
  settings: Settings,
  system: Pick<System, "records" | "commit" | "redis" | "clock" | "now" | "onError">,
  patienceMs?: number,
): Access {
  const { records, commit, redis, clock, now, onError } = system;
  const signer = signerOf(settings);
  const isRevoked = openRevocations(records, clock, patienceMs ?? USER_TIMEOUT_MS);
  const verify = createVerifier(settings, Date.now, undefined, isRevoked);
  const findUser = async (name: string) =>
    (await within(patienceMs ?? USER_TIMEOUT_MS, records.read(apiUsers, [apiUserKey(name)]))).get(apiUserKey(name));
  const pauses = createLoginPauses({ redis, clock, onError: onError("login"), timeoutMs: patienceMs });
  const checkUser = createUserCheck({ findUser, pauses });
  const takesUsers = signer !== undefined && settings.BASIC_AUTH === "on";
  const users = takesUsers ? createUserVerifier({ checkUser, findUser, clock }) : undefined;
  return {
    verify,
    identify: createIdentify({
      verify,
      verifyUser: users?.verify,
      addressOf: (request) => clientAddress(request, settings.TRUSTED_PROXIES),
      basePath: settings.BASE_PATH ?? "",
      hasLogin: signer !== undefined,
    }),
    recallUser: users?.recall,
    people: {
      isRevoked,
      tickets: createTickets(settings, () => now().getTime(), isRevoked),
      findUser: createRecentUsers(findUser, clock).find,
      noteSeen: createNoteSeen(commit, onError("last seen")),
    },
    signer,
    login: {
      issue: signer && issuerOf(signer, settings.TOKEN_LIFETIME),
      checkUser,
      trustedProxies: settings.TRUSTED_PROXIES,
    },
  };
}

function signerOf({ JWKS_URL, JWT_SECRET: secret, JWT_ISSUER: issuer, JWT_AUDIENCE: audience }: Settings) {
  return JWKS_URL || !secret ? undefined : { secret, issuer, audience };
}

/** Signs a token for an API user that has logged in. */
const issuerOf =
  (signer: Signer, lifetime: number) =>
  ({ name, tenant, stores, role, scope }: ApiUser): Promise<string> =>
    signToken({
      ...signer,
      lifetime: `${lifetime}s`,
      subject: name,
      tenant,
      stores,
      scope: scopeOf({ role, scope }),
      role,
    });
