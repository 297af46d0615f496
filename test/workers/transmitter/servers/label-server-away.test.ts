import test from "ava";
import { page, type Reply, serve } from "../serve.ts";

/** A driver whose label server can be stopped and whose clock the test sets. */
async function scene(t: Parameters<typeof serve>[0]) {
  const set = { reply: "hangs up" as Reply, now: 0 };
  const { driver, calls, stop } = await serve(t, () => set.reply, { clock: () => set.now });
  const send = async (times: number) => {
    for (let time = 0; time < times; time += 1) await driver.sendPage(page);
  };
  return { set, driver, calls, send, stop };
}

test("if a label server refuses connections, the driver returns 'later' without an error", async (t) => {
  const { driver, stop } = await scene(t);
  await stop();
  t.like(await driver.sendPage(page), { kind: "later", afterMs: 3000 });
});

test("a label server that misses five calls is unreachable, and no call begins for a second", async (t) => {
  const { set, driver, send } = await scene(t);
  t.false(driver.isAway());
  await send(4);
  t.false(driver.isAway());
  await send(1);
  t.true(driver.isAway());
  set.now = 999;
  t.true(driver.isAway());
  set.now = 1000;
  t.false(driver.isAway());
});

test("a label server whose port is closed is unreachable as well", async (t) => {
  const { driver, send, stop } = await scene(t);
  await stop();
  await send(5);
  t.true(driver.isAway());
});

test("any response resets the count, even a refusal or 'later'", async (t) => {
  for (const status of [202, 400, 503]) {
    const { set, driver, send } = await scene(t);
    await send(4);
    set.reply = { status };
    await send(1);
    set.reply = "hangs up";
    await send(4);
    t.false(driver.isAway(), `after ${status}`);
    await send(1);
    t.true(driver.isAway(), `after ${status}`);
  }
});

test("after the circuit closes, one more failed call opens it again", async (t) => {
  const { set, driver, send } = await scene(t);
  await send(5);
  set.now = 60_000;
  t.false(driver.isAway());
  await send(1);
  t.true(driver.isAway());
});

test("a busy label server is not unreachable", async (t) => {
  const { set, driver, send } = await scene(t);
  set.reply = { status: 503 };
  await send(20);
  t.false(driver.isAway());
});

test("a recovered label server accepts pages as before", async (t) => {
  const { set, driver, send, calls } = await scene(t);
  await send(5);
  set.reply = { status: 202 };
  set.now = 5000;
  t.deepEqual(await driver.sendPage(page), { kind: "accepted" });
  t.false(driver.isAway());
  t.is(calls.length, 6);
});
