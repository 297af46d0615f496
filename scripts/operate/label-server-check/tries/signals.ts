import type { LabelReport } from "../../../../schemas/label-report.ts";
import type { Rig, Trial, Try } from "../trial.ts";
import { Broken, NotTried } from "../verdict.ts";

const BUTTON = 1;
const TEMPERATURE = 21;

/** Makes the test rig do something with the label, which then sends a report. */
async function act({ settings, barcode }: Trial, what: string, run: (rig: Rig, barcode: string) => Promise<boolean>) {
  if (!settings.rig) throw new NotTried(`--rig, which ${what}, is absent`);
  if (!(await run(settings.rig, barcode))) throw new NotTried(`the test rig cannot do it: it ${what}`);
}

const press = (trial: Trial) => act(trial, "presses buttons", (rig, barcode) => rig.press(barcode, BUTTON));

/** Returns the label's reports so far that have a field. */
const reportsWith = ({ endpoint, barcode }: Trial, field: "press" | "sensors", status?: number): LabelReport[] =>
  endpoint.calls
    .filter((call) => status === undefined || call.status === status)
    .flatMap(({ reports }) => reports)
    .filter((report) => report.barcode === barcode && report[field] !== undefined);

/** Returns the label's next report with a field, after the first `seen` such reports. */
async function reported(trial: Trial, field: "press" | "sensors", sent: string, expected: string, seen: number) {
  const find = () => reportsWith(trial, field, 204)[seen];
  const report = await trial.endpoint.waitFor(find, trial.settings.patienceMs);
  if (report) return report;
  const rejected = trial.endpoint.calls.findLast(({ faults }) => faults.length > 0);
  throw new Broken({
    sent,
    expected,
    came: rejected ? `a call that ${rejected.faults[0]}` : `no report with "${field}"`,
  });
}

/** Trials of what labels report by themselves. */
export const signalTries: readonly Try[] = [
  {
    rule: "press-reported",
    needs: ["picture-acknowledged"],
    async run(trial) {
      const seen = reportsWith(trial, "press", 204).length;
      const from = Date.now() - trial.settings.clockMs;
      await press(trial);
      const sent = `a press of button ${BUTTON} of ${trial.barcode}`;
      const expected = `a report with "press", the button ${BUTTON} and the time of the press`;
      const report = await reported(trial, "press", sent, expected, seen);
      const at = Date.parse(report.press?.at ?? "");
      if (report.press?.button !== BUTTON || at < from || at > Date.now() + trial.settings.clockMs)
        throw new Broken({ sent, expected, came: JSON.stringify(report) });
    },
  },
  {
    rule: "press-repeated",
    needs: ["press-reported"],
    async run(trial) {
      const { endpoint } = trial;
      const seen = reportsWith(trial, "press", 204).length;
      let first: LabelReport | undefined;
      endpoint.answerBy(({ reports }) => {
        const found = first === undefined ? reports.find((report) => report.press !== undefined) : undefined;
        first ??= found;
        return found && 503;
      });
      try {
        await press(trial);
        const sent = `a press of button ${BUTTON} of ${trial.barcode}, whose report was answered 503`;
        const again = await reported(trial, "press", sent, "the same press once more", seen);
        if (again.press?.at !== first?.press?.at)
          throw new Broken({ sent, expected: `the time ${first?.press?.at} again`, came: JSON.stringify(again) });
      } finally {
        endpoint.answerBy();
      }
    },
  },
  {
    rule: "temperature-reported",
    needs: ["picture-acknowledged"],
    async run(trial) {
      const seen = reportsWith(trial, "sensors", 204).length;
      await act(trial, "sets temperatures", (rig, barcode) => rig.setTemperature(barcode, TEMPERATURE));
      const sent = `a temperature of ${TEMPERATURE} °C at ${trial.barcode}`;
      const expected = `a report with "sensors" and the temperature ${TEMPERATURE}`;
      const report = await reported(trial, "sensors", sent, expected, seen);
      if (report.sensors?.temperature !== TEMPERATURE)
        throw new Broken({ sent, expected, came: JSON.stringify(report) });
    },
  },
];
