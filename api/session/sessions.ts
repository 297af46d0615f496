import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import { decodeJwt } from "jose";
import { personCaller, subjectOf } from "../../domain/access/callers.ts";
import { outageTexts, redisOutageOf } from "../../queues/outage.ts";
import type { ApiUser } from "../../records/kinds/tenants.ts";
import { tokenProblem } from "../access/identify.ts";
import type { TicketClaims, Tickets } from "../access/tickets.ts";
import { type IsRevoked, type Permit, TokenError } from "../access/verify-token.ts";
import { permitOf } from "../access/verify-user.ts";
import { ProblemError } from "../http/problem-error.ts";
import { opened, sealed } from "./seal.ts";
import { type Content, contentIn, markOf } from "./session-content.ts";
import { createSessionIndex, type SessionFacts, type SessionOwner, sessionName } from "./session-index.ts";

/** What starts a session: a token, a user whose password was checked, or the identity provider's statement about a person. */
export type Login =
  | { token: string }
  | { user: ApiUser }
  | { person: { subject: string; claims: TicketClaims; idToken: string } };

/** A session as its owner sees it. */
export interface ShownSession extends SessionFacts {
  name: string;
}

/** Browser sessions in Redis: each process knows them, a logout ends them, and a wipe of Redis only logs everyone out. */
export interface Sessions {
  /** Starts a session. A session started with a token ends with the token, or after SESSION_LIFETIME if that is sooner. */
  begin(login: Login, device: string): Promise<{ id: string; permit: Permit; secondsLeft: number }>;
  /** Returns the current rights of a session; undefined if no session has this id, or it has ended. */
  read(id: string): Promise<Permit | undefined>;
  /** Ends a session. Returns the identity provider's ID token if the session started with one. */
  end(id: string): Promise<string | undefined>;
  /** Lists the sessions that have not ended, most recently used first. */
  list(owner: SessionOwner): Promise<ShownSession[]>;
  /** Ends an owner's sessions with these names, or all of them; returns how many there were. */
  endOf(owner: SessionOwner, names?: readonly string[]): Promise<number>;
}

export interface SessionsWorld {
  redis: Pick<Redis, "set" | "get" | "del" | "hset" | "hget" | "hgetall" | "hdel" | "pexpireat">;
  /** Returns the rights of a token; throws a TokenError or an IssuerError. */
  verify(token: string): Promise<Permit>;
  isRevoked: IsRevoked;
  /** Undefined if only tokens can start sessions. */
  tickets: Tickets | undefined;
  /**
   * Returns a user, who may have been read some seconds ago; if `isCurrent` is false for that state, the user is read
   * again.
   */
  findUser(name: string, isCurrent: (user: ApiUser) => boolean): Promise<ApiUser | undefined>;
  /** Records a user's visit; never throws. */
  noteSeen(user: ApiUser, at: Date): void;
  now(): Date;
  onError(error: Error): void;
  /** Seconds without a call after which a session ends, and seconds after which it ends in any case. */
  idle: number;
  lifetime: number;
}

const ID_BYTES = 32;
/** The precision of a session's last use. */
const TOUCH_MS = 60_000;
/** Maximum number of sessions of one owner; another one ends the least recently used. */
export const MAX_SESSIONS = 50;

/**
 * Redis stores what a session started with, encrypted with the session's id, which only the browser has. Reading Redis
 * therefore reveals no token, and writing to it grants no rights. At each call the rights come from a token signed by its
 * issuer or from a ticket signed by Shelfwire, and a user's rights from the user's record.
 */
export function createSessions(world: SessionsWorld): Sessions {
  const { redis, verify, isRevoked, tickets, findUser, noteSeen, now, onError } = world;
  const index = createSessionIndex(redis);
  const [idleMs, lifetimeMs] = [world.idle * 1000, world.lifetime * 1000];

  const reached = <T>(command: Promise<T>): Promise<T> =>
    command.catch((error: Error) => {
      onError(error);
      const outage = redisOutageOf(error);
      throw new ProblemError("unavailable", outageTexts[outage], { headers: { "retry-after": "5" }, outage });
    });

  async function contentOf(login: Login, begun: Date, until: Date): Promise<Content> {
    if ("token" in login) return { as: "token", token: login.token };
    if (tickets === undefined)
      throw new ProblemError("no-login", "This server has no secret to sign sessions with: enter a token.");
    if ("user" in login) {
      const { name, tenant } = login.user;
      // A user's ticket grants no rights itself: they are read from the user's record.
      const token = await tickets.sign(name, { tenant, stores: [], scope: "" }, begun, until);
      return { as: "user", token, password: markOf(login.user) };
    }
    const { subject, claims, idToken } = login.person;
    return { as: "person", token: await tickets.sign(subject, claims, begun, until), idToken };
  }

  /** Returns the current rights; throws a TokenError if they have ended. */
  async function rightsOf({ as, token, password }: Content): Promise<{ permit: Permit; user?: ApiUser }> {
    if (as === "token") return { permit: { ...(await verify(token)), hasSession: true } };
    if (tickets === undefined) throw new TokenError("The session was signed by another server");
    const permit = await tickets.verify(token, as);
    // A person from the provider is not the user with the same name: people who manage users neither see nor end the person's
    // sessions.
    if (as === "person")
      return { permit: { ...permit, caller: personCaller(permit.subject), isPerson: true, hasSession: true } };
    // A new password ends the sessions of the previous one, since a person who knew it must not stay logged in.
    const hasPassword = (user: ApiUser) => markOf(user) === password;
    const user = await findUser(permit.subject ?? "", hasPassword);
    if (user === undefined || user.tenant !== permit.tenant) throw new TokenError("The user was removed");
    if (!hasPassword(user)) throw new TokenError("The user has a new password");
    return { permit: { ...permitOf(user), isUser: true, hasSession: true }, user };
  }

  async function readContent(id: string): Promise<Content | undefined> {
    const found = await reached(redis.get(keyOf(sessionName(id))));
    return found === null ? undefined : contentIn(opened(id, found));
  }

  async function read(id: string): Promise<{ permit: Permit; user?: ApiUser } | undefined> {
    const content = await readContent(id);
    if (content === undefined) return undefined;
    try {
      return await rightsOf(content);
    } catch (error) {
      if (error instanceof TokenError) return undefined;
      throw tokenProblem(error);
    }
  }

  const noteUnread = (error: Error): undefined => {
    if (!(error instanceof TokenError)) onError(error);
  };

  const isOver = ({ seen, until }: SessionFacts, at: number): boolean => at >= until || at - seen >= idleMs;

  async function touch(owner: SessionOwner, name: string, facts: SessionFacts, user: ApiUser | undefined) {
    const at = now().getTime();
    if (at - facts.seen < TOUCH_MS) return;
    if (user) noteSeen(user, now());
    // A session stays valid even if its use cannot be recorded.
    await index.enter(owner, name, { ...facts, seen: at }, at + lifetimeMs).catch(onError);
  }

  async function endOf(owner: SessionOwner, names?: readonly string[]): Promise<number> {
    const present = (await reached(index.all(owner))).map(({ name }) => name);
    const ended = names === undefined ? present : present.filter((name) => names.includes(name));
    for (const name of ended) await reached(redis.del(keyOf(name)));
    await reached(index.remove(owner, ended));
    return ended.length;
  }

  const living = (all: readonly ShownSession[]): ShownSession[] => {
    const at = now().getTime();
    return all.filter((one) => !isOver(one, at)).sort((one, other) => other.seen - one.seen);
  };

  /** Leaves out sessions that were revoked, or whose user has a new password; their entries are kept until they expire. */
  async function list(owner: SessionOwner): Promise<ShownSession[]> {
    const { tenant, caller } = owner;
    const { isPerson, subject } = subjectOf(caller);
    const all = living(await reached(index.all(owner)));
    const revoked = await Promise.all(
      all.map(({ issuedAt, begun }) =>
        isRevoked({ tenant, subject, isPerson, issuedAt: issuedAt ?? Math.floor(begun / 1000) }),
      ),
    );
    const ofUser = all.find(({ password }) => password !== undefined);
    const user = ofUser && (await findUser(subject ?? "", (found) => markOf(found) === ofUser.password));
    const mark = user && markOf(user);
    return all.filter(({ password }, index) => !revoked[index] && (password === undefined || password === mark));
  }

  /** Makes room for one more session, and removes the entries of ended ones. */
  async function tidy(owner: SessionOwner): Promise<void> {
    // Read once, so that a session that starts in the meantime is not ended.
    const all = await reached(index.all(owner));
    const kept = new Set(
      living(all)
        .slice(0, MAX_SESSIONS - 1)
        .map(({ name }) => name),
    );
    const others = all.map(({ name }) => name).filter((name) => !kept.has(name));
    if (others.length > 0) await endOf(owner, others);
  }

  return {
    async begin(login, device) {
      const begun = now();
      const latest = new Date(begun.getTime() + lifetimeMs);
      const content = await contentOf(login, begun, latest);
      const { permit, user } = await rightsOf(content);
      const { exp = 0, iat: issuedAt } = decodeJwt(content.token);
      const until = Math.min(latest.getTime(), exp * 1000);
      const secondsLeft = Math.max(1, Math.ceil((until - begun.getTime()) / 1000));
      const id = randomBytes(ID_BYTES).toString("base64url");
      await tidy(permit);
      const times = { begun: begun.getTime(), seen: begun.getTime(), until, issuedAt };
      const facts = { ...times, device, password: content.password };
      await reached(index.enter(permit, sessionName(id), facts, latest.getTime()));
      await reached(redis.set(keyOf(sessionName(id)), sealed(id, JSON.stringify(content)), "EX", secondsLeft));
      if (user) noteSeen(user, begun);
      return { id, permit, secondsLeft };
    },

    async read(id) {
      const { permit, user } = (await read(id)) ?? {};
      if (permit === undefined) return undefined;
      const name = sessionName(id);
      const facts = await reached(index.read(permit, name));
      if (facts === undefined || isOver(facts, now().getTime())) return undefined;
      await touch(permit, name, facts, user);
      return permit;
    },

    async end(id) {
      const content = await readContent(id);
      await reached(redis.del(keyOf(sessionName(id))));
      // If the session's owner cannot be read, its entry stays in the list until it expires.
      const owner = content && (await rightsOf(content).catch(noteUnread))?.permit;
      if (owner !== undefined) await reached(index.remove(owner, [sessionName(id)]));
      return content?.idToken;
    },

    list,
    endOf,
  };
}

/** The key has a different name than in earlier releases, whose sessions were not sealed. */
const keyOf = (name: string): string => `sealed-session:${name}`;
