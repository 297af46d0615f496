import { revocationKey, tenantKey } from "../schemas/keys.ts";
import { revocations } from "./kinds/tenants.ts";
import { within } from "./mongodb/unavailable.ts";
import { type Records, readAll } from "./records.ts";

/** The parts of a token that are compared with a revocation. */
export interface RevocableToken {
  /** Id of the token's tenant. */
  tenant: string;
  subject: string | undefined;
  /** Whether the subject is a person from the identity provider, rather than a user with the same name; false if absent. */
  isPerson?: boolean | undefined;
  /** The `iat` claim, in seconds; a token without it counts as issued before any revocation. */
  issuedAt: number | undefined;
}

const MAX_AGE_MS = 5_000;

/** Returns the time, in seconds, from which new tokens are valid again if all tokens issued until `now` are revoked. */
export const revokedBefore = (now: Date): number => Math.floor(now.getTime() / 1000) + 1;

/**
 * Decides whether a token is revoked. All revocations are read together, at most every five seconds, since they are few. While
 * the database is unavailable, the revocations from the last successful read are used; rejects if there was none.
 */
export function openRevocations(records: Pick<Records, "scan">, clock: () => number, timeoutMs: number) {
  let known: { at: number; before: ReadonlyMap<string, number> } | undefined;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    // This time is taken before the read, which may miss a revocation that is committed in the meantime.
    const at = clock();
    const all = await readAll(records, revocations, tenantKey(""));
    known = { at, before: new Map(all.map(({ _id, before }) => [_id, before])) };
  }

  const isStale = (): boolean => known === undefined || clock() - known.at >= MAX_AGE_MS;

  async function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    await within(timeoutMs, reading).catch((error: unknown) => {
      if (known === undefined) throw error;
      known = { ...known, at: clock() };
    });
  }

  return async ({ tenant, subject, isPerson, issuedAt = 0 }: RevocableToken): Promise<boolean> => {
    if (subject === undefined) return false;
    if (isStale()) await refresh();
    // This call may have joined a read that started too long ago.
    if (isStale()) await refresh();
    const key = revocationKey(tenantKey(tenant), subject, isPerson ? "person" : "token");
    return issuedAt < (known?.before.get(key) ?? 0);
  };
}
