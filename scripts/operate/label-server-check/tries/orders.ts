import type { OrderName } from "../caller.ts";
import type { Trial, Try } from "../trial.ts";
import { Broken, NotTried } from "../verdict.ts";

const flashOf = (color: string, duration: number) => ({ duration, color, flashType: 50 });

/** A body of each kind of order. */
export const orderBodies = {
  flash: flashOf("GREEN", 0),
  "display-page": { action: "restore-page" },
  fingerprint: { position: { x: 1.5, y: 2, floor: 0 } },
} as const satisfies Record<OrderName, object>;

const LONG_S = 1800;
const temporary = { action: "set-temporary", page: "info", duration: LONG_S };

/** Sends an order, which must be accepted. Returns what was sent. */
async function order(trial: Trial, name: OrderName, body: object, number = trial.nextNumber()): Promise<string> {
  const { sent, status, came } = await trial.call(trial.picture({ number, content: { order: name, body } }));
  if (status !== 202) throw new Broken({ sent, expected: "202", came });
  return `${sent} and ${JSON.stringify(body)}`;
}

function assertRig({ settings }: Trial): void {
  if (!settings.rig) throw new NotTried("--rig, which shows what a label does, is absent");
}

export const orderTries: readonly Try[] = [
  { rule: "flash-accepted", run: async (trial) => void (await order(trial, "flash", flashOf("GREEN", 1))) },
  {
    rule: "display-page-accepted",
    async run(trial) {
      for (const body of [{ ...temporary, duration: 1 }, { action: "restore-page" }])
        await order(trial, "display-page", body);
    },
  },
  {
    rule: "fingerprint-accepted",
    run: async (trial) => void (await order(trial, "fingerprint", orderBodies.fingerprint)),
  },
  {
    rule: "orders-unreported",
    needs: ["picture-acknowledged"],
    async run(trial) {
      await trial.settle();
      const isOrder = (number = 0) => "order" in (trial.numbers.get(number)?.content ?? {});
      const report = trial.endpoint.calls
        .flatMap(({ reports }) => reports)
        .find(({ transmission }) => isOrder(transmission));
      if (report)
        throw new Broken({
          sent: "flash, display-page, fingerprint",
          expected: "no report",
          came: JSON.stringify(report),
        });
    },
  },
  {
    rule: "flash-larger-number",
    needs: ["flash-accepted", "picture-acknowledged"],
    async run(trial) {
      assertRig(trial);
      const older = trial.nextNumber();
      const sent = await order(trial, "flash", flashOf("RED", LONG_S));
      await trial.looksLike(sent, "a red flash", ({ flash }) => flash?.color === "RED");
      const late = await order(trial, "flash", flashOf("GREEN", LONG_S), older);
      await trial.settle();
      await trial.looksLike(`${late}, after a larger number`, "a red flash", ({ flash }) => flash?.color === "RED");
    },
  },
  {
    rule: "flash-stopped",
    needs: ["flash-accepted"],
    async run(trial) {
      assertRig(trial);
      const sent = await order(trial, "flash", flashOf("BLUE", LONG_S));
      await trial.looksLike(sent, "a flash", ({ flash }) => flash?.color === "BLUE");
      const stopped = await order(trial, "flash", flashOf("BLUE", 0));
      await trial.looksLike(stopped, "no flash", ({ flash }) => flash === null);
    },
  },
  {
    rule: "page-displayed",
    needs: ["display-page-accepted"],
    async run(trial) {
      assertRig(trial);
      const sent = await order(trial, "display-page", temporary);
      await trial.looksLike(sent, "the page info", ({ shownPage }) => shownPage === "info");
    },
  },
  {
    rule: "page-restored",
    needs: ["page-displayed"],
    async run(trial) {
      const sent = await order(trial, "display-page", { action: "restore-page" });
      await trial.looksLike(sent, "the page 0", ({ shownPage }) => shownPage === "0");
    },
  },
];
