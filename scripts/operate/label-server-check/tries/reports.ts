import { setTimeout as wait } from "node:timers/promises";
import type { Answer, Call } from "../caller.ts";
import type { ReportCall } from "../reports-endpoint.ts";
import type { Trial, Try } from "../trial.ts";
import { Broken, NotTried } from "../verdict.ts";

const needs = ["picture-acknowledged"] as const;
const MAX_WAITING = 5;

const names = ({ reports }: ReportCall, { number }: Call): boolean =>
  reports.some(({ transmission }) => transmission === number);

/** Sends a picture whose first report is disturbed. It must be reported again. */
async function tryDisturbed(trial: Trial, disturbance: 503 | "hang up"): Promise<void> {
  const one = trial.picture();
  let isDisturbed = false;
  trial.endpoint.answerBy((call) => {
    if (isDisturbed || !names(call, one)) return undefined;
    isDisturbed = true;
    return disturbance;
  });
  const { sent } = await trial.accept(one);
  trial.mayRepeat(one.number);
  const how = disturbance === 503 ? "was answered 503" : "was not answered";
  await trial.reported(one, `${sent}, whose report ${how}`);
}

/** Sends a picture to several labels. Some time after the first attempt to report, calls `back`, which lets reports pass. */
async function sendSeveral(trial: Trial, wasAttempted: () => boolean, back: () => void): Promise<Call[]> {
  const { endpoint, settings } = trial;
  const calls = settings.barcodes.slice(0, MAX_WAITING).map((barcode) => trial.picture({ barcode }));
  let answers: Answer[];
  try {
    answers = await Promise.all(calls.map(trial.accept));
    await endpoint.waitFor(() => wasAttempted() || undefined, settings.patienceMs);
    await wait(settings.awayMs);
  } finally {
    back();
  }
  for (const [index, one] of calls.entries()) {
    trial.mayRepeat(one.number);
    await trial.reported(one, `${answers[index]?.sent}, while Shelfwire was unreachable`);
  }
  return calls;
}

async function tryRefused(trial: Trial): Promise<void> {
  const { endpoint } = trial;
  const [refused, next] = [trial.picture(), trial.picture()];
  endpoint.answerBy((call) => (names(call, refused) ? 400 : undefined));
  const { sent } = await trial.accept(refused);
  const isRefused = () => endpoint.calls.find((call) => names(call, refused) && call.status === 400);
  if (!(await endpoint.waitFor(isRefused, trial.settings.patienceMs))) await trial.reported(refused, sent);
  const { sent: later } = await trial.accept(next);
  await trial.reported(next, `${later}, after a report that was answered 400`);
}

async function tryBesideReports(trial: Trial): Promise<void> {
  const { endpoint } = trial;
  const [held, next] = [trial.picture(), trial.picture()];
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  endpoint.answerBy((call) => (names(call, held) ? released : undefined));
  try {
    const { sent } = await trial.accept(held);
    trial.mayRepeat(held.number);
    const arrived = () => endpoint.calls.find((call) => names(call, held));
    if (!(await endpoint.waitFor(arrived, trial.settings.patienceMs))) await trial.reported(held, sent);
    const { sent: beside, status, came } = await trial.call(next);
    trial.mayRepeat(next.number);
    if (status !== 202)
      throw new Broken({ sent: `${beside}, while a report waits for its response`, expected: "202", came });
  } finally {
    release(undefined);
  }
}

const disturbing: readonly Try[] = [
  { rule: "repeated-after-503", needs, run: (trial) => tryDisturbed(trial, 503) },
  { rule: "repeated-after-silence", needs, run: (trial) => tryDisturbed(trial, "hang up") },
  {
    rule: "kept-while-away",
    needs,
    async run(trial) {
      const { leave, attempts, back } = trial.endpoint;
      leave();
      await sendSeveral(trial, () => attempts() > 0, back);
    },
  },
  {
    rule: "sent-together",
    needs: ["repeated-after-503"],
    async run(trial) {
      const { endpoint, settings } = trial;
      if (settings.barcodes.length < 2) throw new NotTried("--barcode names one label");
      const before = endpoint.calls.length;
      endpoint.answerBy(() => 503);
      const wasAttempted = () => endpoint.calls.slice(before).some(({ status }) => status === 503);
      const calls = await sendSeveral(trial, wasAttempted, endpoint.answerBy);
      const used = endpoint.calls.filter((call) => call.status === 204 && calls.some((one) => names(call, one)));
      if (used.length >= calls.length)
        throw new Broken({
          sent: `pictures to ${calls.length} labels, while reports were answered 503`,
          expected: "fewer calls than reports",
          came: `${used.length} calls for ${calls.length} reports`,
        });
    },
  },
  { rule: "refusal-blocks-none", needs, run: tryRefused },
  { rule: "calls-beside-reports", needs, run: tryBesideReports },
];

/** Trials that disturb reports. After each, reports are answered as Shelfwire answers them. */
export const reportTries: readonly Try[] = disturbing.map(({ run, ...rest }) => ({
  ...rest,
  run: (trial) => run(trial).finally(() => trial.endpoint.answerBy()),
}));
