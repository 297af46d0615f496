import type { LabelReport } from "../../../../schemas/label-report.ts";
import type { Trial, Try } from "../trial.ts";
import { Broken, NotTried } from "../verdict.ts";

const PICTURES = 3;
const TEMPERATURE = 22;
const needs = ["picture-acknowledged"] as const;

/**
 * Returns the runs that a label server names while it accepts and reports a picture: in its response, and in each call with
 * reports.
 */
async function runsOf(trial: Trial): Promise<{ sent: string; ids: string[] }> {
  const from = trial.endpoint.calls.length;
  const one = trial.picture();
  const { sent, bootId } = await trial.accept(one);
  await trial.reported(one, sent);
  const reported = trial.endpoint.calls.slice(from).flatMap(({ reports }) => reports.map((report) => report.bootId));
  return { sent, ids: [bootId, ...reported].filter((id) => id !== undefined) };
}

/** Returns the label's first check-in after this many calls with reports. */
const checkInAfter = ({ endpoint, barcode }: Trial, calls: number): LabelReport | undefined =>
  endpoint.calls
    .slice(calls)
    .filter(({ status }) => status === 204)
    .flatMap(({ reports }) => reports)
    .find((report) => report.kind === "check-in" && report.barcode === barcode);

/** Trials of how a label server names its run, and of its reports about what labels show. */
export const runTries: readonly Try[] = [
  {
    rule: "boot-id-constant",
    needs,
    async run(trial) {
      let known: string | undefined;
      for (let picture = 0; picture < PICTURES; picture += 1) {
        const { sent, ids } = await runsOf(trial);
        if (ids.length === 0) throw new NotTried("no response and no report names its run");
        known ??= ids[0];
        const other = ids.find((id) => id !== known);
        if (other !== undefined) throw new Broken({ sent, expected: `the boot id ${known} again`, came: other });
      }
    },
  },
  {
    rule: "boot-id-changed",
    needs: ["boot-id-constant"],
    async run(trial) {
      const { remembering, forgetting } = trial.settings.restart ?? {};
      const restart = forgetting ?? remembering;
      if (!restart) throw new NotTried("--restart and --restart-forgetting are absent");
      const [before] = (await runsOf(trial)).ids;
      await restart();
      const { sent, ids } = await runsOf(trial);
      if (ids.includes(before ?? ""))
        throw new Broken({ sent: `${sent}, after a restart`, expected: "another boot id", came: before ?? "" });
    },
  },
  {
    rule: "shows-listed",
    needs,
    async run(trial) {
      const { rig, patienceMs } = trial.settings;
      if (!rig) throw new NotTried("--rig, which lets a label check in, is absent");
      const one = trial.picture();
      await trial.deliver(one);
      const calls = trial.endpoint.calls.length;
      if (!(await rig.setTemperature(trial.barcode, TEMPERATURE)))
        throw new NotTried("the test rig cannot let a label check in: it sets temperatures");
      const report = await trial.endpoint.waitFor(() => checkInAfter(trial, calls), patienceMs);
      if (report?.shows === undefined) throw new NotTried("no check-in lists what the label shows");
      const listed = report.shows.find(({ page }) => page === 0)?.transmission;
      if (listed !== one.number)
        throw new Broken({
          sent: `the number ${one.number}, which is delivered`,
          expected: `"shows" with the transmission ${one.number} of page 0`,
          came: JSON.stringify(report),
        });
    },
  },
];
