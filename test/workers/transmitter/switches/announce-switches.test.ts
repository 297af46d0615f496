import test from "ava";
import type { Commit } from "../../../../queues/changes/commit.ts";
import { switches, switchStates } from "../../../../records/kinds/switches.ts";
import { keysUnder } from "../../../../schemas/keys.ts";
import type { Stored } from "../../../../schemas/record.ts";
import type { Switch } from "../../../../schemas/switch.ts";
import { oneLabelServer } from "../../../../workers/transmitter/servers/label-servers.ts";
import { createAnnounceSwitches } from "../../../../workers/transmitter/switches/announce-switches.ts";
import { createRunSwitches } from "../../../../workers/transmitter/switches/run-switches.ts";
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
    t.false(await isReady(), "the labels were just counted");
    seconds += 10;
    await announce(prepared);
    t.true(await isReady());
  },
);

test.serial("a switch that is over is announced as DONE even if its announcement fails at first", async (t) => {
  const { db, commit, records, firstTogether } = own.system;
  const { _id, ...body } = aSwitch("20260301T090000Z");
  await commit.change(switches, [_id], (): Switch => ({ ...body, state: "ORDERED", isTaken: true }), "bulk");
  // The first announcement says that it is ORDERED.
  let announcements = 0;
  const change = (async (kind, ...rest) => {
    if (kind.name === switchStates.name) announcements += 1;
    if (kind.name === switchStates.name && announcements === 2) throw new Error("the database is unreachable");
    return commit.change(kind, ...rest);
  }) as Commit["change"];
  const step = createRunSwitches({
    ...{ db, firstTogether, commit: { ...commit, change } },
    partitions: { own: async () => [keysUnder(`${body.store}/`)] },
    labelServers: oneLabelServer({ isAway: () => false } as never),
    readPlaces: async () => () => ({ store: body.store }),
    now: () => at(960),
  });
  const announced = async () => (await records.read(switchStates, [_id])).get(_id)?.state;
  await t.throwsAsync(step());
  t.is(await announced(), "ORDERED");
  await step();
  t.is(await announced(), "DONE");
  t.like((await records.read(switches, [_id])).get(_id), { state: "DONE", open: undefined });
});

test.serial(
  "a switch that was called off stays so for subscribers, even if a process announces its earlier state",
  async (t) => {
    const { db, commit, records } = own.system;
    const announce = createAnnounceSwitches({ db, commit, now: () => at(0) });
    const one = aSwitch("20260301T100000Z");
    await announce(one);
    await announce({ ...one, state: "CALLED_OFF", reason: "BY_CALLER" });
    await announce(one);
    t.like((await records.read(switchStates, [one._id])).get(one._id), { state: "CALLED_OFF", reason: "BY_CALLER" });
  },
);
