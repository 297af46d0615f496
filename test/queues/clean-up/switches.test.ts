import test from "ava";
import { forgetSwitches } from "../../../queues/clean-up/switches.ts";
import { switches } from "../../../records/kinds/switches.ts";
import { switchKey } from "../../../schemas/keys.ts";
import type { Switch } from "../../../schemas/switch.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();
const STORE = "t/demo/s/main";
const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const untilEnd = { renew: async () => true, goOn: async () => true };

test("switches are removed some time after they took effect", async (t) => {
  const { commit, records } = world.system;
  const keys = [3, 5, 7].map((day) => switchKey(STORE, `2026010${day}T000000Z`));
  const past = (day: number): Switch => ({
    ...{ showAt: at(day), deadline: at(day), atDeadline: "CALL_OFF", state: "DONE" },
  });
  await commit.change(switches, keys, (key) => past(Number(key.at(-9))), "bulk");
  t.is(await forgetSwitches(world.system, at(6), untilEnd), 2);
  t.deepEqual([...(await records.read(switches, keys)).keys()], keys.slice(2));
});
