import test from "ava";
import { switchStates } from "../../../../records/kinds/switches.ts";
import type { Stored } from "../../../../schemas/record.ts";
import type { Switch } from "../../../../schemas/switch.ts";
import { createAnnounceSwitches } from "../../../../workers/transmitter/switches/announce-switches.ts";
import { ownSystem } from "../../../harness/own.ts";
import { at } from "../states.ts";

const own = ownSystem();

const aSwitch = (id: string): Stored<Switch> => ({
  _id: `t/demo/s/main/switches/${id}`,
  rev: 1,
  store: "t/demo/s/main",
  writeId: "w",
  changedAt: at(0),
  showAt: at(900),
  deadline: at(800),
  atDeadline: "CALL_OFF",
  state: "PREPARING",
  readyPercent: 100,
  open: true,
});

test.serial(
  "labels that were just counted are not counted again, however many switches were deleted before their time",
  async (t) => {
    const { db, commit, records } = own.system;
    let seconds = 0;
    const now = () => {
      seconds += 1;
      return at(seconds);
    };
    const announce = createAnnounceSwitches({ db, commit, now, maxResting: 2 });
    const [deleted, other, last] = ["20260301T080100Z", "20260301T080200Z", "20260301T080300Z"].map(aSwitch);
    for (const one of [deleted, other, last] as Stored<Switch>[]) await announce(one);
    const { _id } = last as Stored<Switch>;
    const isReady = async () => (await records.read(switchStates, [_id])).get(_id)?.isReady;
    t.false(await isReady());
    // All of its labels are ready now, and the next count finds this.
    const prepared = { ...(last as Stored<Switch>), preparedAt: at(0) };
    await announce(prepared);
    t.false(await isReady(), "the labels rest");
    seconds += 10;
    await announce(prepared);
    t.true(await isReady());
  },
);
