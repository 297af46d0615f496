import test from "ava";
import { beginTurn } from "../../../queues/clean-up/turn.ts";

const MINUTE_MS = 60_000;

function turnScene() {
  const set = { now: 0, isHeld: true };
  const held: [name: string, milliseconds: number][] = [];
  const leases = {
    hold: async (name: string, milliseconds: number) => {
      held.push([name, milliseconds]);
      return set.isHeld;
    },
    release: async () => {},
  };
  return { set, held, turn: beginTurn({ leases, now: () => new Date(set.now) }, "clean-up", 30_000) };
}

test("a turn goes on for five minutes, and renews its lease each time", async (t) => {
  const { set, held, turn } = turnScene();
  t.true(await turn.goOn());
  set.now = 5 * MINUTE_MS - 1;
  t.true(await turn.goOn());
  t.deepEqual(held, [
    ["clean-up", 30_000],
    ["clean-up", 30_000],
  ]);
  set.now = 5 * MINUTE_MS;
  t.false(await turn.goOn());
  t.is(held.length, 2, "a turn that is over renews nothing");
});

test("a turn ends where another process has taken the lease, and so does its renewal", async (t) => {
  const { set, turn } = turnScene();
  t.true(await turn.renew());
  set.isHeld = false;
  t.false(await turn.goOn());
  t.false(await turn.renew());
});

test("a lease is renewed without regard to the time of the turn", async (t) => {
  const { set, turn } = turnScene();
  set.now = 6 * MINUTE_MS;
  t.true(await turn.renew());
});
