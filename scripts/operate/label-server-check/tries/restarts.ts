import type { Try } from "../trial.ts";
import { Broken, NotTried } from "../verdict.ts";

const needs = ["acknowledged-again"] as const;

export const restartTries: readonly Try[] = [
  {
    rule: "restart-remembering",
    needs: ["delivery-time-kept"],
    async run(trial) {
      const restart = trial.settings.restart?.remembering;
      if (!restart) throw new NotTried("--restart is absent");
      const one = trial.picture();
      const first = await trial.deliver(one);
      await restart();
      const seen = trial.reportsOf(one.number).length;
      const { sent } = await trial.accept(one);
      const second = await trial.reported(one, `${sent}, which was delivered before a restart`, seen);
      if (Date.parse(first.at) !== Date.parse(second.at))
        throw new Broken({
          sent: `${sent}, which was delivered before a restart`,
          expected: `an acknowledgement at ${first.at}`,
          came: `at ${second.at}`,
        });
    },
  },
  {
    rule: "restart-forgetting",
    needs,
    async run(trial) {
      const restart = trial.settings.restart?.forgetting;
      if (!restart) throw new NotTried("--restart-forgetting is absent");
      const one = trial.picture();
      await trial.deliver(one);
      await restart();
      const seen = trial.reportsOf(one.number).length;
      const { sent } = await trial.accept(one);
      await trial.reported(one, `${sent}, which was delivered before a restart`, seen);
    },
  },
];
