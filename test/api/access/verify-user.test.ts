import test from "ava";
import { hashPassword, isPasswordOf } from "../../../api/access/login/passwords.ts";
import { createUserVerifier } from "../../../api/access/verify-user.ts";
import { ProblemError } from "../../../api/http/problem-error.ts";
import type { ApiUser } from "../../../records/kinds/tenants.ts";

const PASSWORD = "correct horse: battery štäple";
const userWith = async (password: string, more: Partial<ApiUser> = {}): Promise<ApiUser> => ({
  name: "till",
  tenant: "demo",
  stores: ["main"],
  scope: "items:read",
  password: await hashPassword(password),
  ...more,
});

/** Returns a verifier for one user that can change, with a clock that the test sets; counts reads and password checks. */
async function aVerifier() {
  const world = { now: 0, checks: 0, reads: 0, user: (await userWith(PASSWORD)) as ApiUser | undefined };
  const { verify, recall } = createUserVerifier({
    clock: () => world.now,
    findUser: async () => {
      world.reads += 1;
      return world.user;
    },
    checkUser: async (_, password) => {
      world.checks += 1;
      const { user } = world;
      if (!user || !(await isPasswordOf(user.password, password))) throw new ProblemError("wrong-credentials", "wrong");
      return user;
    },
  });
  const credentials = (password: string) => ({ userName: "till", password });
  return {
    world,
    call: (password = PASSWORD) => verify(credentials(password), "192.0.2.1"),
    recall: (password = PASSWORD, ended = new Promise<void>(() => {})) => recall(credentials(password), ended),
  };
}

test("a password is checked once every few minutes, however many calls send it, even concurrently", async (t) => {
  const { world, call } = await aVerifier();
  await Promise.all(Array.from({ length: 20 }, () => call()));
  for (world.now = 0; world.now < 4 * 60_000; world.now += 1_000) await call();
  t.is(world.checks, 1);
  t.true(world.reads < 60, "the user is read again every few seconds, not with every call");
  world.now = 6 * 60_000;
  await call();
  t.is(world.checks, 2);
});

test("a user's calls have the same permissions and caller as a token from its login", async (t) => {
  const { call } = await aVerifier();
  t.deepEqual(await call(), {
    caller: "sub till",
    subject: "till",
    tenant: "demo",
    stores: new Set(["main"]),
    scopes: new Set(["items:read"]),
  });
});

test("a wrong password is not accepted after a right one, and is checked every time", async (t) => {
  const { world, call } = await aVerifier();
  await call();
  for (const wrong of ["wrong", `${PASSWORD} `, ""]) {
    await t.throwsAsync(call(wrong), { instanceOf: ProblemError });
    await t.throwsAsync(call(wrong), { instanceOf: ProblemError });
  }
  t.is(world.checks, 7);
});

test("a new password, changed permissions and a removed user take effect within seconds", async (t) => {
  const { world, call } = await aVerifier();
  await call();
  world.user = await userWith(PASSWORD, { password: world.user?.password, scope: "labels:read" });
  world.now += 5_000;
  t.deepEqual((await call()).scopes, new Set(["labels:read"]));
  world.user = await userWith("a new password");
  world.now += 5_000;
  await t.throwsAsync(call(), { instanceOf: ProblemError });
  await call("a new password");
  world.user = undefined;
  world.now += 5_000;
  await t.throwsAsync(call("a new password"), { instanceOf: ProblemError });
});

test("a user whose password was right is recognized without another password check", async (t) => {
  const { world, call, recall } = await aVerifier();
  t.is(await recall(PASSWORD, Promise.resolve()), undefined);
  t.is(world.checks, 0);
  const permit = await call();
  t.deepEqual(await recall(), permit);
  t.is(await recall("another password"), undefined);
  world.user = undefined;
  world.now += 6_000;
  t.is(await recall(), undefined);
  t.is(world.checks, 1);
});

test("the first of several concurrent calls is anonymous, and the others are recognized once it is verified", async (t) => {
  const { world, call, recall } = await aVerifier();
  t.is(await recall(), undefined);
  const others = Promise.all(Array.from({ length: 20 }, () => recall()));
  const permit = await call();
  for (const other of await others) t.deepEqual(other, permit);
  t.is(world.checks, 1);
});

test("if the first call's password was wrong, or the call ended unverified, the waiting calls are anonymous too", async (t) => {
  const { world, call, recall } = await aVerifier();
  t.is(await recall("wrong"), undefined);
  const others = Promise.all(Array.from({ length: 20 }, () => recall("wrong")));
  await t.throwsAsync(call("wrong"), { instanceOf: ProblemError });
  t.deepEqual(new Set(await others), new Set([undefined]));

  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  t.is(await recall(PASSWORD, ended), undefined);
  const behind = Promise.all(Array.from({ length: 20 }, () => recall()));
  end();
  t.deepEqual(new Set(await behind), new Set([undefined]));
  t.is(world.checks, 1, "the waiting calls checked no password");
});
