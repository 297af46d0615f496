import { Type } from "typebox";
import { subjectCaller } from "../../domain/access/callers.ts";
import { isWithin, type Rights } from "../../domain/access/may-grant.ts";
import { type ApiUser, apiUsers } from "../../records/kinds/tenants.ts";
import { readAll } from "../../records/records.ts";
import { apiUserKey, tenantIdOf } from "../../schemas/keys.ts";
import { Invitation, InvitationOrder, Person, PersonSession } from "../../schemas/person.ts";
import { scopeOf } from "../../schemas/role.ts";
import { PLATFORM } from "../../schemas/token.ts";
import { authorOf } from "../access/actor-of.ts";
import type { Signer } from "../access/sign-token.ts";
import { grantOf, type Permit } from "../access/verify-token.ts";
import { ProblemError } from "../http/problem-error.ts";
import { Nothing, tenantRoute } from "../http/route.ts";
import { apiUserResource, rightsFaults, UserName } from "../installation/api-users.ts";
import type { Invitations } from "../installation/invitations.ts";
import type { InstallationWorld } from "../installation/resource.ts";
import { revokeTokens } from "../installation/revoke-tokens.ts";
import type { Sessions } from "../session/sessions.ts";
import { assertFaultless, missing } from "./find-records.ts";

export interface PeopleWorld extends InstallationWorld {
  /** Undefined if another issuer signs tokens, in which case nobody logs in with a password. */
  signer: Signer | undefined;
  sessions: Pick<Sessions, "list" | "endOf">;
  invitations: Invitations;
}

const params = Type.Object({ userName: UserName });
const common = { scope: "users:write", isForPlatform: true, isWithinStores: true } as const;
const SESSION_NAME = Type.String({
  pattern: "^[A-Za-z0-9_-]{43}$",
  errorMessage: "must be the id of a session",
  description: "Id of the session",
  examples: ["nU1CpTWBmUT1Yy3Q5iG0aVh-3lU0p9v2X0ZfDqv8f5w"],
});

/** Operations on people, for callers who may invite. They are restricted to the caller's own stores and scopes. */
export const people = (world: PeopleWorld) => {
  const rightsOf = ({ tenant, stores, role, scope }: Omit<ApiUser, "name">): Rights =>
    grantOf({ tenant, stores, scope: scopeOf({ role, scope }) });
  const isFor = (user: ApiUser, permit: Permit) => permit.scopes.has(PLATFORM) || isWithin(rightsOf(user), permit);
  const ownerOf = ({ name, tenant }: ApiUser) => ({ tenant, caller: subjectCaller(name) });

  /** Returns a user of the tenant that the caller may act on; a user with more rights than the caller counts as absent. */
  async function one(tenant: string, userName: string, permit: Permit): Promise<ApiUser> {
    const key = apiUserKey(userName);
    const user = (await world.records.read(apiUsers, [key])).get(key);
    if (user === undefined || user.tenant !== tenantIdOf(tenant) || !isFor(user, permit))
      throw missing("user", userName);
    return user;
  }

  /** Throws if an order grants more than its caller has. */
  function assertGrantable(tenant: string, { stores, role, scope }: InvitationOrder, permit: Permit): void {
    const rights = rightsOf({ tenant: tenantIdOf(tenant), stores, scope: scope ?? "", ...(role && { role }) });
    if (permit.scopes.has(PLATFORM) || isWithin(rights, permit)) return;
    throw new ProblemError("forbidden", "You can grant only stores and permissions that you have yourself.");
  }

  return [
    tenantRoute({
      ...common,
      method: "GET",
      path: "/people",
      operationId: "listPeople",
      summary: "List the users within the caller's stores and scopes",
      answers: { 200: Type.Array(Person) },
      async handle({ tenant, permit }) {
        const all = await readAll(world.records, apiUsers, apiUserKey(""));
        const own = all.filter((user) => user.tenant === tenantIdOf(tenant) && isFor(user, permit));
        return { status: 200, body: own.map(personOf) };
      },
    }),

    tenantRoute({
      ...common,
      method: "POST",
      path: "/people/:userName/invitation",
      operationId: "invitePerson",
      summary: "Invite a user, new or known, to choose a password",
      description:
        "The link is valid for a week and works once. An existing user gets these stores and rights immediately, and keeps its password until the " +
        "invitation is accepted. Nobody can grant stores or scopes that their own token lacks, or invite a user with more rights.",
      params,
      body: InvitationOrder,
      answers: { 201: Invitation },
      problems: ["conflict", "no-login"],
      async handle({ tenant, permit, params: { userName }, body }) {
        if (world.signer === undefined)
          throw new ProblemError(
            "no-login",
            "This server accepts no passwords: people log in through your identity provider.",
          );
        assertFaultless(rightsFaults(body));
        assertGrantable(tenant, body, permit);
        const invitation = await world.invitations.invite(tenant, userName, body, authorOf(permit), (current) => {
          if (current && !isFor(current, permit))
            throw new ProblemError("forbidden", `The user "${userName}" has stores or permissions that you lack.`);
        });
        return { status: 201, body: invitation, secretFields: ["path"] };
      },
    }),

    tenantRoute({
      ...common,
      method: "DELETE",
      path: "/people/:userName",
      operationId: "removePerson",
      summary: "Remove a user; its sessions and tokens end within seconds",
      params,
      answers: { 204: Nothing },
      problems: ["not-found"],
      async handle({ tenant, permit, params: { userName } }) {
        const user = await one(tenant, userName, permit);
        await apiUserResource(world).remove(tenant, userName);
        await world.sessions.endOf(ownerOf(user));
        return { status: 204 };
      },
    }),

    tenantRoute({
      ...common,
      method: "GET",
      path: "/people/:userName/sessions",
      operationId: "listPersonSessions",
      summary: "List where a user is logged in on the pages",
      params,
      answers: { 200: Type.Array(PersonSession) },
      problems: ["not-found"],
      async handle({ tenant, permit, params: { userName } }) {
        const found = await world.sessions.list(ownerOf(await one(tenant, userName, permit)));
        const time = (at: number) => new Date(at).toISOString();
        const body = found.map(({ name, device, begun, seen, until }) => ({
          sessionId: name,
          device,
          begun: time(begun),
          seen: time(seen),
          until: time(until),
        }));
        return { status: 200, body };
      },
    }),

    tenantRoute({
      ...common,
      method: "DELETE",
      path: "/people/:userName/sessions",
      operationId: "endPersonSessions",
      summary: "End all sessions and tokens of a user, such as after losing a phone",
      description:
        "The user is kept, and can log in again. To lock out a person who knows the password, invite the user again.",
      params,
      answers: { 204: Nothing },
      problems: ["not-found"],
      async handle({ tenant, permit, params: { userName } }) {
        const user = await one(tenant, userName, permit);
        await revokeTokens(world, tenant, userName);
        await world.sessions.endOf(ownerOf(user));
        return { status: 204 };
      },
    }),

    tenantRoute({
      ...common,
      method: "DELETE",
      path: "/people/:userName/sessions/:sessionId",
      operationId: "endPersonSession",
      summary: "End one session of a user",
      params: Type.Object({ userName: UserName, sessionId: SESSION_NAME }),
      answers: { 204: Nothing },
      problems: ["not-found"],
      async handle({ tenant, permit, params: { userName, sessionId } }) {
        const user = await one(tenant, userName, permit);
        if ((await world.sessions.endOf(ownerOf(user), [sessionId])) === 0) throw missing("session", sessionId);
        return { status: 204 };
      },
    }),
  ];
};

const personOf = ({ name, stores, role, scope, seenAt, invitation, password }: ApiUser): Person => ({
  userName: name,
  stores,
  role: role ?? null,
  scope: scopeOf({ role, scope }),
  lastSeen: seenAt ?? null,
  invitedUntil: invitation?.until ?? null,
  hasPassword: password !== undefined,
});
