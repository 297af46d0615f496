import type { Call } from "../caller.ts";
import type { Trial, Try } from "../trial.ts";
import { Broken, NotTried } from "../verdict.ts";

const needs = ["picture-acknowledged"] as const;

/** Repeats a delivered picture. Returns its first and its next acknowledgement. */
async function repeatDelivered(trial: Trial, one: Call, between: () => Promise<unknown> = trial.tick) {
  const first = await trial.deliver(one);
  await between();
  const seen = trial.reportsOf(one.number).length;
  const { sent } = await trial.accept(one);
  const second = await trial.reported(one, `${sent}, which is delivered`, seen);
  return { first, second, sent };
}

export const numberTries: readonly Try[] = [
  {
    rule: "repeated-accepted",
    needs,
    async run(trial) {
      const one = trial.picture();
      await trial.accept(one);
      const { sent, status, came } = await trial.call(one);
      if (status !== 202) throw new Broken({ sent: `${sent}, a second time`, expected: "202", came });
      await trial.reported(one, sent);
    },
  },
  {
    rule: "acknowledged-again",
    needs,
    run: async (trial) => void (await repeatDelivered(trial, trial.picture())),
  },
  {
    rule: "delivery-time-kept",
    needs: ["acknowledged-again"],
    async run(trial) {
      const { first, second, sent } = await repeatDelivered(trial, trial.picture());
      if (Date.parse(first.at) !== Date.parse(second.at))
        throw new Broken({ sent: `${sent}, which is delivered`, expected: `at ${first.at}`, came: `at ${second.at}` });
    },
  },
  {
    rule: "superseded-remembered",
    needs: ["acknowledged-again"],
    async run(trial) {
      const one = trial.picture();
      const { first, second, sent } = await repeatDelivered(trial, one, () => trial.deliver(trial.picture()));
      if (Date.parse(second.at) > Date.parse(first.at))
        throw new Broken({
          sent: `${sent}, after a later picture`,
          expected: `an acknowledgement at ${first.at}`,
          came: `at ${second.at}`,
        });
    },
  },
  {
    rule: "older-dropped",
    needs,
    async run(trial) {
      const older = trial.picture();
      await trial.deliver(trial.picture());
      const { sent } = await trial.call(older);
      await trial.settle();
      const [shown] = trial.reportsOf(older.number);
      if (shown)
        throw new Broken({
          sent: `${sent}, after a larger number`,
          expected: "no acknowledgement",
          came: `acknowledged at ${shown.at}`,
        });
    },
  },
  {
    rule: "failed-sent-again",
    needs,
    async run(trial) {
      const { rig } = trial.settings;
      if (!rig) throw new NotTried("--rig, which lets a transmission fail, is absent");
      await rig.failNext(trial.barcode);
      const one = trial.picture();
      const { sent } = await trial.accept(one);
      await trial.reported(one, sent, 0, "failed");
      await trial.accept(one);
      await trial.reported(one, `${sent}, which failed before`);
    },
  },
  {
    rule: "stores-separate",
    needs,
    async run(trial) {
      const { otherStore } = trial.settings;
      if (otherStore === undefined) throw new NotTried("--other-store names no store");
      const moved = trial.picture({ store: otherStore });
      await trial.deliver(trial.picture());
      await trial.deliver(moved);
    },
  },
];
