import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { type ApiUser, apiUsers } from "../../records/kinds/tenants.ts";
import { apiUserKey, tenantIdOf, tenantKey } from "../../schemas/keys.ts";
import type { Invitation, InvitationOrder } from "../../schemas/person.ts";
import type { Stored } from "../../schemas/record.ts";
import { refusalNotice } from "../../schemas/refusal-notice.ts";
import { scopeOf } from "../../schemas/role.ts";
import { userIn } from "../access/login/note-seen.ts";
import { hashPassword } from "../access/login/passwords.ts";
import { ProblemError } from "../http/problem-error.ts";
import { apiUserResource } from "./api-users.ts";
import type { InstallationWorld } from "./resource.ts";
import { revokeTokens } from "./revoke-tokens.ts";

const INVITATION_TTL_MS = 7 * 24 * 3_600_000;
/** The minimum and maximum length of a password in characters; users that an operator adds have the same limits. */
export const PASSWORD_LENGTH = { least: 12, most: 256 };
const CODE_BYTES = 32;

const digestOf = (code: string): string => hash("sha256", code, "base64url");

/**
 * Creates and accepts invitations: a link with which one person can choose a user's password, once and within a week.
 * Only the digest of its code is stored.
 */
export function createInvitations(world: InstallationWorld, now: () => Date) {
  const { records, commit } = world;
  const users = apiUserResource(world);

  /** Returns the user whose invitation has this code, if it can still be accepted. */
  async function find(code: string): Promise<Stored<ApiUser> | undefined> {
    const key = apiUserKey(code.slice(0, Math.max(0, code.lastIndexOf("."))));
    const user = (await records.read(apiUsers, [key])).get(key);
    return user && isFor(user, code) ? user : undefined;
  }

  function isFor({ invitation }: ApiUser, code: string): boolean {
    if (invitation === undefined || Date.parse(invitation.until) <= now().getTime()) return false;
    return timingSafeEqual(Buffer.from(invitation.digest), Buffer.from(digestOf(code)));
  }

  return {
    find,

    /**
     * Invites a new user of a tenant, given by its key, or an existing user, whose password stays valid until the
     * invitation is accepted. Throws a ProblemError for an order with faults. `assertMay` is called inside the
     * compare-and-set.
     */
    async invite(
      tenant: string,
      name: string,
      order: InvitationOrder,
      by: string,
      assertMay: (current: ApiUser | undefined) => void,
    ): Promise<Invitation> {
      await users.check(tenant, name, order);
      const code = `${name}.${randomBytes(CODE_BYTES).toString("base64url")}`;
      const until = new Date(now().getTime() + INVITATION_TTL_MS).toISOString();
      const { stores, role, scope } = order;
      await commit.change(
        apiUsers,
        [apiUserKey(name)],
        (_, current) => {
          // Names are unique across all tenants, and another tenant may have taken this one since the check.
          if (current && current.tenant !== tenantIdOf(tenant))
            throw new ProblemError("conflict", refusalNotice("ID_TAKEN", { id: name, noun: users.noun }));
          assertMay(current);
          const { role: _former, ...kept } = current ? userIn(current) : { name, tenant: tenantIdOf(tenant) };
          const invitation = { digest: digestOf(code), until, by };
          return { ...kept, stores, scope: scopeOf({ role, scope }), ...(role && { role }), invitation };
        },
        "interactive",
      );
      return { userName: name, path: `/join?code=${code}`, expires: until };
    },

    /**
     * Sets the password of the user whose invitation has this code, uses the invitation up, and revokes the tokens of
     * the previous password. Returns undefined if the invitation can no longer be accepted.
     */
    async accept(code: string, password: string): Promise<ApiUser | undefined> {
      const user = await find(code);
      if (user === undefined) return undefined;
      const hashed = await hashPassword(password);
      const changed = await commit.change(
        apiUsers,
        [user._id],
        (_, current) => {
          if (current === undefined || !isFor(current, code)) return undefined;
          const { invitation: _used, ...kept } = userIn(current);
          return { ...kept, password: hashed };
        },
        "interactive",
      );
      const accepted = changed.get(user._id);
      // The session that starts now dates from this second and must stay valid.
      const second = Math.floor(now().getTime() / 1000);
      if (accepted) await revokeTokens(world, tenantKey(accepted.tenant), accepted.name, { before: second });
      return accepted;
    },
  };
}

export type Invitations = ReturnType<typeof createInvitations>;
