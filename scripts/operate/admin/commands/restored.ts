import { LABELS_PER_SECOND, restored } from "../after-restore.ts";
import { command, countOf } from "../command.ts";

/** Twice the interval at which a process checks for a new epoch. */
const NOTICE_MS = 10_000;

export const restoredCommand = command({
  name: "restored",
  arguments: [],
  means: "run after MongoDB was restored to an earlier state",
  options: {
    step: { takes: "COUNT", initial: "1000000", means: "how many request numbers each store skips" },
    "labels-per-second": {
      takes: "COUNT",
      initial: String(LABELS_PER_SECOND),
      means: "how many labels are sent their picture per second",
    },
  },
  async run({ options, isDryRun, open, progress }) {
    const step = countOf("--step", options.step);
    const perSecond = countOf("--labels-per-second", options["labels-per-second"]);
    return restored(await open(), { step, perSecond, noticeMs: NOTICE_MS, isDryRun, progress });
  },
});
