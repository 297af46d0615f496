import type { Commit } from "../../../queues/changes/commit.ts";
import { type ApiUser, apiUsers } from "../../../records/kinds/tenants.ts";
import { apiUserKey } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";

/** Minimum time between two writes of a user's last visit. */
const SEEN_EVERY_MS = 15 * 60_000;

/** Records a user's last visit in the background. The login or call neither waits for the write nor fails if the write does. */
export function createNoteSeen(commit: Pick<Commit, "change">, onError: (error: Error) => void) {
  return (user: ApiUser, at: Date): void => {
    if (user.seenAt !== undefined && at.getTime() - Date.parse(user.seenAt) < SEEN_EVERY_MS) return;
    const note = (_: string, current: Stored<ApiUser> | undefined) =>
      current && { ...userIn(current), seenAt: at.toISOString() };
    commit.change(apiUsers, [apiUserKey(user.name)], note, "bulk").catch(onError);
  };
}

/** Returns a user's own fields, without the envelope of the stored record. */
export const userIn = ({ name, tenant, stores, scope, role, password, invitation, seenAt }: ApiUser): ApiUser => ({
  name,
  tenant,
  stores,
  scope,
  ...(role && { role }),
  ...(password && { password }),
  ...(invitation && { invitation }),
  ...(seenAt !== undefined && { seenAt }),
});
