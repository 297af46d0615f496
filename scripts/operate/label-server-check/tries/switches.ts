import { setTimeout as wait } from "node:timers/promises";
import type { Call } from "../caller.ts";
import type { Trial, Try } from "../trial.ts";
import { Broken, NotTried } from "../verdict.ts";

const NOT_FOUND = 404;
const needs = ["switch-kept"] as const;

const nextSwitch = (trial: Trial): string => `check-${trial.nextNumber()}`;

/** Sends a picture for a switch, and waits until the label keeps it. */
async function keep(trial: Trial, id: string): Promise<{ one: Call; sent: string }> {
  const one = trial.picture({ switch: id });
  const { sent } = await trial.accept(one);
  await trial.reported(one, sent, 0, "kept");
  return { one, sent };
}

/** Orders a switch. The returned function waits until the switch is over and everything until then has been reported. */
async function order(trial: Trial, id: string, leadMs = trial.settings.switchMs) {
  const showAt = new Date(Date.now() + leadMs);
  const sent = await trial.orderSwitch({ switch: id, showAt });
  const over = async () => {
    await wait(Math.max(0, showAt.getTime() - Date.now()));
    await trial.settle();
  };
  return { showAt, sent, over };
}

function assertUnshown(trial: Trial, { number }: Call, sent: string): void {
  const [shown] = trial.reportsOf(number);
  if (shown) throw new Broken({ sent, expected: "no acknowledgement", came: `acknowledged at ${shown.at}` });
}

export const switchTries: readonly Try[] = [
  {
    rule: "switch-kept",
    needs: ["picture-acknowledged"],
    async run(trial) {
      const one = trial.picture({ switch: nextSwitch(trial) });
      const { sent, status } = await trial.call(one);
      if (status === NOT_FOUND) throw new NotTried("its labels keep no pictures: the call returns 404");
      await trial.accept(one);
      await trial.reported(one, sent, 0, "kept");
      await trial.settle();
      assertUnshown(trial, one, `${sent}, without an order of its switch`);
    },
  },
  {
    rule: "switch-shown",
    needs,
    async run(trial) {
      const id = nextSwitch(trial);
      const { one } = await keep(trial, id);
      const { sent, showAt } = await order(trial, id);
      const { at } = await trial.reported(one, sent);
      if (Date.parse(at) >= showAt.getTime() - trial.settings.clockMs && Date.now() >= showAt.getTime()) return;
      throw new Broken({ sent, expected: "an acknowledgement at that time or later", came: `acknowledged at ${at}` });
    },
  },
  {
    rule: "switch-superseded",
    needs,
    async run(trial) {
      const id = nextSwitch(trial);
      const { one, sent } = await keep(trial, id);
      await trial.deliver(trial.picture());
      const { over } = await order(trial, id);
      await over();
      assertUnshown(trial, one, `${sent}, and a later picture before its switch`);
    },
  },
  {
    rule: "switch-called-off",
    needs,
    async run(trial) {
      for (let leadMs = trial.settings.switchMs; ; leadMs *= 2) {
        const id = nextSwitch(trial);
        const { one } = await keep(trial, id);
        const { showAt, over } = await order(trial, id, leadMs);
        const sent = await trial.orderSwitch({ switch: id });
        // A call that is accepted only after the time of the switch proves nothing.
        if (Date.now() >= showAt.getTime()) continue;
        await over();
        assertUnshown(trial, one, `${sent}, before its time`);
        return;
      }
    },
  },
  {
    rule: "switch-late",
    needs: ["switch-shown"],
    async run(trial) {
      const id = nextSwitch(trial);
      const { over } = await order(trial, id);
      await over();
      const late = trial.picture({ switch: id });
      const { sent } = await trial.accept(late);
      await trial.reported(late, `${sent}, after the time of its switch`, 0, "failed");
    },
  },
];
