import { LRUCache } from "lru-cache";
import type { ApiUser } from "../../../records/kinds/tenants.ts";

/** A cache of users, at most a few seconds old. */
export interface RecentUsers {
  /** Returns a user, reading the user again if `isCurrent` is false for the cached one. */
  find(name: string, isCurrent?: (user: ApiUser) => boolean): Promise<ApiUser | undefined>;
  /** Caches a user that was just read. */
  remember(user: ApiUser): void;
}

const MAX_REMEMBERED = 10_000;
/** A change to a user, or its removal, takes effect within this time, as does a change to a store. */
const USER_TTL_MS = 5_000;

export function createRecentUsers(
  findUser: (name: string) => Promise<ApiUser | undefined>,
  clock: () => number,
): RecentUsers {
  const users = new LRUCache<string, { user: ApiUser; until: number }>({ max: MAX_REMEMBERED });
  const remember = (user: ApiUser): void => void users.set(user.name, { user, until: clock() + USER_TTL_MS });
  return {
    remember,
    async find(name, isCurrent = () => true) {
      const cached = users.get(name);
      if (cached && cached.until > clock() && isCurrent(cached.user)) return cached.user;
      const user = await findUser(name);
      if (user) remember(user);
      else users.delete(name);
      return user;
    },
  };
}
