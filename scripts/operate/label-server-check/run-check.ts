import { openReportsEndpoint, type ReportsEndpoint } from "./reports-endpoint.ts";
import { type RuleName, ruleNames } from "./rules.ts";
import { type CheckSettings, openTrial, type Trial, type Try } from "./trial.ts";
import { numberTries } from "./tries/numbers.ts";
import { orderTries } from "./tries/orders.ts";
import { pictureTries } from "./tries/pictures.ts";
import { receivedTries } from "./tries/received.ts";
import { reportTries } from "./tries/reports.ts";
import { restartTries } from "./tries/restarts.ts";
import { runTries } from "./tries/runs.ts";
import { signalTries } from "./tries/signals.ts";
import { switchTries } from "./tries/switches.ts";
import { Broken, NotTried, type Verdict } from "./verdict.ts";

const tries: readonly Try[] = [
  ...pictureTries,
  ...numberTries,
  ...orderTries,
  ...switchTries,
  ...reportTries,
  ...restartTries,
  ...runTries,
  ...signalTries,
  ...receivedTries,
];

/** Acts as Shelfwire towards a label server that reports to `endpoint`. Returns the verdicts in the order of the rules. */
export async function runCheck(
  settings: CheckSettings,
  endpoint: ReportsEndpoint,
  onVerdict: (verdict: Verdict) => void = () => {},
): Promise<Verdict[]> {
  const trial = openTrial(settings, endpoint);
  const verdicts = new Map<RuleName, Verdict>();
  for (const one of tries) {
    const verdict = await judge(one, trial, verdicts);
    verdicts.set(one.rule, verdict);
    onVerdict(verdict);
  }
  return ruleNames.flatMap((rule) => verdicts.get(rule) ?? []);
}

async function judge(
  { rule, needs = [], run }: Try,
  trial: Trial,
  known: ReadonlyMap<RuleName, Verdict>,
): Promise<Verdict> {
  const missing = needs.find((need) => known.get(need)?.result !== "passed");
  if (missing) return { rule, result: "not tried", why: `it needs ${missing}` };
  try {
    await run(trial);
    return { rule, result: "passed" };
  } catch (error) {
    if (error instanceof NotTried) return { rule, result: "not tried", why: error.message };
    if (error instanceof Broken) return { rule, result: "failed", ...error.evidence };
    throw error;
  }
}

/** Runs a check with its own endpoint at this port. */
export async function runCheckAt(
  port: number,
  settings: CheckSettings,
  onVerdict?: (verdict: Verdict) => void,
): Promise<Verdict[]> {
  const endpoint = await openReportsEndpoint(settings.secret, port);
  try {
    return await runCheck(settings, endpoint, onVerdict);
  } finally {
    await endpoint.close();
  }
}
