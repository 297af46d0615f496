import test from "ava";
import { beginTimeSlice } from "../../../queues/clean-up/time-slice.ts";

const MINUTE_MS = 60_000;

function sliceScene() {
  const set = { now: 0, isHeld: true };
  const held: [name: string, milliseconds: number][] = [];
  const leases = {
    hold: async (name: string, milliseconds: number) => {
      held.push([name, milliseconds]);
      return set.isHeld;
    },
    release: async () => {},
  };
  return { set, held, slice: beginTimeSlice({ leases, now: () => new Date(set.now) }, "clean-up", 30_000) };
}

test("a slice lasts five minutes and renews its lease each time", async (t) => {
  const { set, held, slice } = sliceScene();
  t.true(await slice.goOn());
  set.now = 5 * MINUTE_MS - 1;
  t.true(await slice.goOn());
  t.deepEqual(held, [
    ["clean-up", 30_000],
    ["clean-up", 30_000],
  ]);
  set.now = 5 * MINUTE_MS;
  t.false(await slice.goOn());
  t.is(held.length, 2, "a slice that is over renews nothing");
});

test("a slice ends when another process takes the lease, and the lease cannot be renewed then", async (t) => {
  const { set, slice } = sliceScene();
  t.true(await slice.renew());
  set.isHeld = false;
  t.false(await slice.goOn());
  t.false(await slice.renew());
});

test("a lease is renewed independently of the slice's time", async (t) => {
  const { set, slice } = sliceScene();
  set.now = 6 * MINUTE_MS;
  t.true(await slice.renew());
});
