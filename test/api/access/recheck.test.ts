import type { IncomingMessage } from "node:http";
import test from "ava";
import { assertPermitted } from "../../../api/access/authorize.ts";
import { createIdentify } from "../../../api/access/identify.ts";
import { hashPassword } from "../../../api/access/login/passwords.ts";
import { createRecheck } from "../../../api/access/recheck.ts";
import { createUserVerifier } from "../../../api/access/verify-user.ts";
import { ProblemError } from "../../../api/http/problem-error.ts";
import type { ApiUser } from "../../../records/kinds/tenants.ts";
import { UnavailableError } from "../../../records/mongodb/unavailable.ts";

const PASSWORD = "a password of 12 characters";
const USER_TTL_MS = 5_000;
const password = await hashPassword(PASSWORD);

/** Opens a user's tail of the labels in the store `main`; the user's permissions are checked repeatedly. */
async function aTail() {
  const user: ApiUser = { name: "till", tenant: "demo", stores: ["main"], scope: "labels:read", password };
  const world = { now: 0, user: user as ApiUser | undefined, fails: undefined as Error | undefined };
  const findUser = async () => {
    if (world.fails) throw world.fails;
    return world.user;
  };
  const checkUser = async () => {
    if (world.user === undefined) throw new ProblemError("wrong-credentials", "wrong");
    return world.user;
  };
  const identify = createIdentify({
    verify: async () => Promise.reject(new Error("no token is sent")),
    verifyUser: createUserVerifier({ clock: () => world.now, findUser, checkUser }).verify,
    addressOf: () => "192.0.2.1",
    basePath: "",
    hasLogin: true,
  });
  const isPermitted = createRecheck({
    identify,
    request: { headers: { authorization: `Basic ${btoa(`till:${PASSWORD}`)}` } } as IncomingMessage,
    assertPermitted: (permit) =>
      assertPermitted(permit, { scope: "labels:read" }, { tenantId: "demo", storeId: "main" }),
    clock: () => world.now,
  });
  if (!(await isPermitted())) throw new Error("a tail starts with the permissions that it needs");
  const after = async (milliseconds: number) => {
    world.now += milliseconds;
    return isPermitted();
  };
  return { world, user, after };
}

const losses: readonly [what: string, change: Partial<ApiUser>][] = [
  ["scope", { scope: "items:read" }],
  ["store", { stores: ["branch"] }],
  ["tenant", { tenant: "other" }],
];
for (const [what, change] of losses) {
  test(`a user who loses the ${what} loses its tail within seconds, even with the same password`, async (t) => {
    const { world, user, after } = await aTail();
    t.true(await after(USER_TTL_MS));
    world.user = { ...user, ...change };
    t.false(await after(USER_TTL_MS));
  });
}

test("a removed user loses its tail", async (t) => {
  const { world, after } = await aTail();
  world.user = undefined;
  t.false(await after(USER_TTL_MS));
});

for (const [what, fault] of [
  ["the database is unreachable", new UnavailableError("away")],
  ["too many others log in", new ProblemError("busy", "busy")],
] as const) {
  test(`while ${what} a tail stays open for a minute and no longer`, async (t) => {
    const { world, after } = await aTail();
    world.fails = fault;
    t.true(await after(USER_TTL_MS));
    t.true(await after(50_000));
    t.false(await after(USER_TTL_MS + 1));
    world.fails = undefined;
    t.true(await after(0));
  });
}
