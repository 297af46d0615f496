import { setTimeout as wait } from "node:timers/promises";
import type { LabelReport } from "../../../schemas/label-report.ts";
import { type Answer, type Call, type CallLimits, createCaller, type SwitchOrder } from "./caller.ts";
import { type Size, stripes } from "./pictures.ts";
import type { ReportsEndpoint } from "./reports-endpoint.ts";
import type { RuleName } from "./rules.ts";
import { Broken } from "./verdict.ts";

/** What a test rig shows of a label. A field is absent if the rig does not know it. */
export interface ShownLabel {
  flash?: { color: string } | null;
  shownPage?: string;
  segments?: string | null;
}

/** Functions that a manufacturer offers in addition to the protocol, so that more rules can be tested. */
export interface Rig {
  look(barcode: string): Promise<ShownLabel>;
  /** Makes the next transmission to the label fail. */
  failNext(barcode: string): Promise<void>;
  /** Presses a button of the label. Returns false if the rig cannot. */
  press(barcode: string, button: number): Promise<boolean>;
  /** Makes the label measure a temperature in °C, and report it. Returns false if the rig cannot. */
  setTemperature(barcode: string, temperature: number): Promise<boolean>;
}

export interface CheckSettings {
  url: string;
  secret: string;
  store: string;
  barcodes: readonly [string, ...string[]];
  size: Size;
  largeSize: Size;
  pages: number;
  segmentBarcode?: string | undefined;
  unknownBarcode?: string | undefined;
  otherStore?: string | undefined;
  rig?: Rig | undefined;
  /** Restarts the label server, which then remembers its numbers or forgets them. */
  restart?: { remembering?: Restart | undefined; forgetting?: Restart | undefined } | undefined;
  limits: CallLimits;
  /** How long to wait for a report, in milliseconds. */
  patienceMs: number;
  /** Milliseconds after which a call is repeated if the label server is busy and names no time. */
  retryMs: number;
  /** How long, in milliseconds, to wait for something that must not happen, after a later picture has been acknowledged. */
  settleMs: number;
  /** How long Shelfwire stays unreachable after the first attempt to report, in milliseconds. */
  awayMs: number;
  /** Tolerated difference between clocks, in milliseconds. */
  clockMs: number;
  /** How long in advance a switch is ordered, in milliseconds. */
  switchMs: number;
}

type Restart = () => Promise<void>;

/** A number that was sent. Reports are compared with calls by these numbers. */
interface SentNumber extends Call {
  at: number;
  /** Maximum number of reports about this number. Unlimited if the reports were disturbed. */
  times: number;
}

/** A trial of one rule. */
export interface Try {
  rule: RuleName;
  /** Rules without which the trial is meaningless. */
  needs?: readonly RuleName[];
  /** Throws Broken if the rule does not hold, and NotTried if that is unknown. */
  run(trial: Trial): Promise<void>;
}

const RETRYABLE = new Set([0, 408, 409, 425, 429, 500, 502, 503, 504]);
const TICK_MS = 5;
const POLL_MS = 20;

/** Opens a trial: the checked label server, what was sent to it and what it reported. */
export function openTrial(settings: CheckSettings, endpoint: ReportsEndpoint) {
  const caller = createCaller(settings.url, settings.secret, settings.limits);
  const numbers = new Map<number, SentNumber>();
  const late: Answer[] = [];
  let lastNumber = Date.now();
  const [barcode] = settings.barcodes;

  const nextNumber = (): number => {
    lastNumber += 1;
    return lastNumber;
  };

  /** Creates a picture for a page, with the next number unless another is given. */
  function picture({ page = 0, switch: id, ...more }: Partial<Call> & { page?: number; switch?: string } = {}): Call {
    const number = more.number ?? nextNumber();
    const png = stripes(settings.size, number);
    return { store: settings.store, barcode, number, content: { page, png, switch: id }, ...more };
  }

  /** Makes one call and accepts any response. */
  async function call(one: Call): Promise<Answer> {
    const known = numbers.get(one.number);
    numbers.set(one.number, { ...one, at: known?.at ?? Date.now(), times: (known?.times ?? 0) + 1 });
    const answer = await caller.call(one);
    if (answer.isLate) late.push(answer);
    return answer;
  }

  /** Repeats a call until it is accepted, as long as the label server is busy. */
  async function accept(one: Call): Promise<Answer> {
    const end = Date.now() + settings.patienceMs;
    for (;;) {
      const answer = await call(one);
      if (answer.status === 202) return answer;
      if (!RETRYABLE.has(answer.status) || answer.isLate || Date.now() >= end)
        throw new Broken({ sent: answer.sent, expected: "202", came: answer.came });
      await wait(answer.retryAfterMs ?? settings.retryMs);
    }
  }

  /** Returns the stored reports about a number, oldest first. */
  const reportsOf = (number: number, kind: LabelReport["kind"] = "acknowledged"): LabelReport[] =>
    endpoint.calls
      .filter(({ status }) => status === 204)
      .flatMap(({ reports }) => reports)
      .filter((report) => report.kind === kind && report.transmission === number);

  /** Waits for the next report about a call's number, after the first `seen` reports about it, and returns that report. */
  async function reported(one: Call, sent: string, seen = 0, kind: LabelReport["kind"] = "acknowledged") {
    const report = await endpoint.waitFor(() => reportsOf(one.number, kind)[seen], settings.patienceMs);
    if (report) return report;
    const expected = `a report "${kind}" with the transmission ${one.number} within ${settings.patienceMs / 1000} s`;
    throw new Broken({ sent, expected, came: cameInstead(one.number, seen) });
  }

  function cameInstead(number: number, seen: number): string {
    const all = endpoint.calls.flatMap(({ reports }) => reports).filter(({ transmission }) => transmission === number);
    if (seen > 0) return `${seen} before the repetition, and none after it`;
    const rejected = endpoint.calls.find(({ faults }) => faults.length > 0);
    if (all.length > 0) return JSON.stringify(all.at(-1));
    return rejected ? `a call that ${rejected.faults[0]}` : "no report with this number";
  }

  /** Sends a picture or text and waits until it is acknowledged. */
  async function deliver(one: Call): Promise<LabelReport> {
    const { sent } = await accept(one);
    return reported(one, sent);
  }

  return {
    settings,
    endpoint,
    barcode,
    nextNumber,
    picture,
    call,
    accept,
    reported,
    reportsOf,
    deliver,
    /** Orders a switch in the store of the labels, or ends it. Returns what was sent. */
    async orderSwitch(one: Omit<SwitchOrder, "store">): Promise<string> {
      const { sent, status, came } = await caller.orderSwitch({ store: settings.store, ...one });
      if (status !== 202) throw new Broken({ sent, expected: "202", came });
      return sent;
    },
    numbers: numbers as ReadonlyMap<number, SentNumber>,
    late: late as readonly Answer[],
    /** Sends a later picture. Once it is acknowledged, the effects of the earlier calls have been reported. */
    async settle(): Promise<void> {
      await deliver(picture());
      await wait(settings.settleMs);
    },
    /** Waits until the clock shows a different time. */
    tick: () => wait(Math.max(TICK_MS, settings.settleMs)),
    /** Allows reports about this number to be repeated, because their calls were disturbed. */
    mayRepeat(number: number): void {
      const known = numbers.get(number);
      if (known) numbers.set(number, { ...known, times: Number.POSITIVE_INFINITY });
    },
    /** Checks the label until it shows what is expected. Throws Broken if it does not do so in time. */
    async looksLike(sent: string, expected: string, is: (label: ShownLabel) => boolean, at = barcode): Promise<void> {
      const end = Date.now() + settings.patienceMs;
      let label: ShownLabel = {};
      while (Date.now() < end) {
        label = (await settings.rig?.look(at)) ?? {};
        if (is(label)) return;
        await wait(POLL_MS);
      }
      const { flash, shownPage, segments } = label;
      throw new Broken({ sent, expected, came: JSON.stringify({ flash, shownPage, segments }) });
    },
  };
}

export type Trial = ReturnType<typeof openTrial>;
