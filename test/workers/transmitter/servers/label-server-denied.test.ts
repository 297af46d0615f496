import test from "ava";
import { type Call, page, type Reply, SECRET, serve } from "../serve.ts";

const OTHER = "the other secret of the tests";
const secretOf = ({ headers }: Call) => headers.authorization?.replace("Bearer ", "");

/** A label server that accepts these secrets, and a driver that has these secrets. */
async function scene(t: Parameters<typeof serve>[0], secrets: [string, ...string[]], status = 401) {
  const set = { takes: [] as string[], now: 0 };
  const reply = (call: Call): Reply => ({ status: set.takes.includes(secretOf(call) ?? "") ? 202 : status });
  const { driver, calls } = await serve(t, reply, { secrets, clock: () => set.now });
  const send = () => driver.sendPage(page);
  return { set, driver, calls, send };
}

for (const status of [401, 403])
  test(`${status} does not refuse a picture: it waits, and the circuit opens`, async (t) => {
    const { set, driver, calls, send } = await scene(t, [SECRET], status);
    const reason = `the label server answered ${status}, because it rejects the secret`;
    set.now = 7;
    for (let time = 0; time < 5; time += 1) t.deepEqual(await send(), { kind: "later", afterMs: 3000, reason });
    t.true(driver.isAway());
    t.is(driver.deniedSince(), 7);
    t.is(driver.failingSince(), undefined, "it has answered");
    t.is(calls.length, 5);
    set.now = 1_007;
    t.false(driver.isAway(), "the next call is a trial");
    set.takes = [SECRET];
    t.deepEqual(await send(), { kind: "accepted" });
    t.is(driver.deniedSince(), undefined);
    t.is(driver.backSince(), 1_007);
  });

test("any response other than a denial closes the denial circuit", async (t) => {
  let status = 401;
  const { driver } = await serve(t, () => ({ status }));
  await driver.sendPage(page);
  t.not(driver.deniedSince(), undefined);
  status = 422;
  t.is((await driver.sendPage(page)).kind, "refused");
  t.is(driver.deniedSince(), undefined);
});

test("with two secrets each call succeeds with the secret that the label server accepts", async (t) => {
  const { set, driver, calls, send } = await scene(t, [SECRET, OTHER]);
  for (const takes of [[SECRET], [SECRET, OTHER], [OTHER], [SECRET]]) {
    set.takes = takes;
    t.deepEqual(await send(), { kind: "accepted" }, takes.join());
    const before = calls.length;
    t.deepEqual(await send(), { kind: "accepted" });
    t.is(calls.length, before + 1, "the secret that was accepted is tried first");
    t.is(driver.deniedSince(), undefined);
  }
  const [denied, taken] = calls.filter(({ headers }) => headers["idempotency-key"]).slice(-3);
  t.is(denied?.headers["idempotency-key"], taken?.headers["idempotency-key"], "the repetition has the same number");
});

test("a label server that accepts neither of two secrets counts as denying", async (t) => {
  const { driver, calls, send } = await scene(t, [SECRET, OTHER]);
  t.is((await send()).kind, "later");
  t.deepEqual(calls.map(secretOf), [SECRET, OTHER]);
  t.is(driver.deniedSince(), 0);
});

test("a label that is denied individually waits longer each time, and other labels are sent", async (t) => {
  const { driver } = await serve(t, ({ path }) => ({ status: path.includes("/labels/alone/") ? 403 : 202 }));
  const alone = () => driver.sendPage({ ...page, barcode: "alone" });
  t.like(await alone(), { kind: "later", afterMs: 3_000 });
  for (const afterMs of [6_000, 12_000, 24_000, 48_000, 96_000, 192_000, 300_000, 300_000]) {
    t.deepEqual(await driver.sendPage(page), { kind: "accepted" });
    const reason = "the label server answered 403 for this label, but accepts others";
    t.deepEqual(await alone(), { kind: "later", afterMs, reason });
  }
  t.false(driver.isAway());
  t.is(driver.deniedSince(), undefined);
});
