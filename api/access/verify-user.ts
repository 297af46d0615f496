import { createHmac, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { subjectCaller } from "../../domain/access/callers.ts";
import type { ApiUser } from "../../records/kinds/tenants.ts";
import { scopeOf } from "../../schemas/role.ts";
import type { CheckUser } from "./check-user.ts";
import type { Credentials } from "./credentials.ts";
import { createRecentUsers } from "./login/recent-users.ts";
import { grantOf, type Permit } from "./verify-token.ts";

/** Returns the rights of an API user whose name and password were sent from an address; throws a ProblemError. */
export type VerifyUser = (credentials: Credentials, address: string) => Promise<Permit>;

/** Recognises the users of calls with HTTP Basic. */
export interface UserVerifier {
  verify: VerifyUser;
  /**
   * Returns the rights of a user whose password was verified within the last few minutes, without checking it again. For any
   * other password, the first call gets undefined; later calls wait until the first has been verified or has ended.
   */
  recall(credentials: Credentials, ended: Promise<void>): Promise<Permit | undefined>;
}

interface UserVerifierWorld {
  checkUser: CheckUser;
  findUser(name: string): Promise<ApiUser | undefined>;
  /** The current time in milliseconds. */
  clock(): number;
}

const MAX_REMEMBERED = 10_000;
/** A password is checked again after this time, and immediately if the user's password has changed. */
const REMEMBERED_MS = 5 * 60_000;

/**
 * Verifies the users of calls with HTTP Basic. A verified password is cached as an HMAC under a key of this process, together
 * with the stored hash that it matches: no password is kept, and a user with a new hash is checked again.
 */
export function createUserVerifier({ checkUser, findUser, clock }: UserVerifierWorld): UserVerifier {
  const key = randomBytes(32);
  const verified = new LRUCache<string, { hash: string; until: number }>({ max: MAX_REMEMBERED });
  const users = createRecentUsers(findUser, clock);
  /** Checks in progress, so that a program that starts with many concurrent calls costs only one scrypt. */
  const running = new Map<string, Promise<ApiUser>>();
  /** First calls with a password, not yet verified. */
  const awaited = new Map<string, PromiseWithResolvers<void>>();

  async function check({ userName, password }: Credentials, address: string, mac: string): Promise<ApiUser> {
    const user = await checkUser({ userName, address }, password);
    if (user.password) verified.set(mac, { hash: user.password.hash, until: clock() + REMEMBERED_MS });
    users.remember(user);
    return user;
  }

  const macOf = ({ userName, password }: Credentials): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([userName, password]))
      .digest("base64url");

  async function remembered(credentials: Credentials): Promise<Permit | undefined> {
    const entry = verified.get(macOf(credentials));
    if (entry === undefined || entry.until <= clock()) return undefined;
    const user = await users.find(credentials.userName);
    return user?.password?.hash === entry.hash ? permitOf(user) : undefined;
  }

  function release(mac: string): void {
    awaited.get(mac)?.resolve();
    awaited.delete(mac);
  }

  return {
    async recall(credentials, ended) {
      const known = await remembered(credentials);
      if (known !== undefined) return known;
      const mac = macOf(credentials);
      const first = awaited.get(mac);
      if (first !== undefined) {
        // Waits only once: if the password was wrong, each waiting call is treated as a call from an unknown caller.
        await first.promise;
        return remembered(credentials);
      }
      const own = Promise.withResolvers<void>();
      awaited.set(mac, own);
      void ended.then(() => {
        if (awaited.get(mac) === own) release(mac);
      });
      return undefined;
    },
    async verify(credentials, address) {
      const mac = macOf(credentials);
      const known = await remembered(credentials);
      if (known !== undefined) {
        release(mac);
        return known;
      }
      verified.delete(mac);
      const end = () => {
        running.delete(mac);
        release(mac);
      };
      const started = running.get(mac) ?? check(credentials, address, mac).finally(end);
      running.set(mac, started);
      return permitOf(await started);
    },
  };
}

/** Returns the same rights and the same caller as a token from the user's login. */
export const permitOf = ({ name, role, ...grant }: ApiUser): Permit => ({
  caller: subjectCaller(name),
  subject: name,
  ...grantOf({ ...grant, scope: scopeOf({ role, scope: grant.scope }) }),
  ...(role && { role }),
});
