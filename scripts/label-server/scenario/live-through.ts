import type { EmulatedLabel, Report, Transmission } from "../emulated-label.ts";
import type { createLabels } from "../labels.ts";
import { createAirTime } from "./air-time.ts";
import { drainAt, firmwareOf, isDead, temperatureAt, transceiverAt, untilAwake } from "./label-life.ts";
import { type Chances, createWay } from "./message-faults.ts";
import type { Scenario } from "./scenario.ts";

type Labels = ReturnType<typeof createLabels>;

/** How long a label listens once it is awake, in milliseconds. */
const AWAKE_MS = 50;

/** How often something has gone wrong so far. */
export interface Mishaps {
  lostCalls: number;
  /** Reports about transmissions. */
  lostReports: number;
  failures: number;
}

/** Makes labels live through a scenario: wraps the labels, and the reports that they send. */
export function liveThrough(scenario: Scenario, chances: Chances) {
  const { random, clock, after } = chances;
  const { air = {}, labels: life = {}, transceivers } = scenario;
  const mishaps: Mishaps = { lostCalls: 0, lostReports: 0, failures: 0 };
  const callsWay = createWay(scenario.calls ?? {}, chances);
  const reportsWay = createWay(scenario.reports ?? {}, chances);
  const airTime = createAirTime(air, clock);
  const met = new WeakSet<EmulatedLabel>();
  /** Incremented by each restart that forgets, so that calls accepted before it have no effect. */
  let memory = 0;

  const sleeps = (label: EmulatedLabel): boolean => life.sleepSeconds !== undefined || isDead(label.barcode, life);

  /** Updates a label's current conditions: its temperature, what a refresh costs its battery, and its transceiver. */
  function refreshConditions(label: EmulatedLabel): void {
    const { battery, temperature } = life;
    if (temperature) label.temperature = temperatureAt(clock(), temperature);
    if (battery) label.drain = drainAt(label.temperature, battery);
    if (transceivers) label.transceiver = transceiverAt(label.barcode, clock(), transceivers);
    if (met.has(label)) return;
    met.add(label);
    if (battery) label.batteryMillivolts = battery.millivolts;
    if (sleeps(label)) label.offline = true;
  }

  function fly(label: EmulatedLabel, { png, text }: Transmission): void {
    const bytes = text === undefined ? png.length : text.length;
    if (scenario.air) label.airTimeMs = airTime(label.transceiver ?? "", bytes);
    if (air.failures === undefined || random() >= air.failures) return;
    label.failNext += 1;
    mishaps.failures += 1;
  }

  /** Calls `run` when the label is next awake, `fromNowMs` from now at the earliest; never if the label is dead. */
  function whenAwake(labels: Labels, label: EmulatedLabel, fromNowMs: number, run: () => void): void {
    if (!sleeps(label)) {
      run();
      return;
    }
    if (isDead(label.barcode, life)) return;
    const { sleepSeconds = 0 } = life;
    const waitMs = fromNowMs + (sleepSeconds && untilAwake(label.barcode, clock() + fromNowMs, sleepSeconds));
    after(waitMs, () => {
      labels.set(label.barcode, { offline: false });
      run();
      after(AWAKE_MS, () => {
        label.offline = true;
      });
    });
  }

  /** Carries a call to its label, unless it is lost or forgotten on the way. */
  function carry(arrive: () => void): void {
    const acceptedIn = memory;
    if (!callsWay(() => acceptedIn === memory && arrive())) mishaps.lostCalls += 1;
  }

  const wrap = (labels: Labels): Labels => ({
    ...labels,

    receive(label, transmission) {
      carry(() => {
        refreshConditions(label);
        if (!label.transmissions.has(transmission.key)) fly(label, transmission);
        labels.receive(label, transmission);
        whenAwake(labels, label, label.airTimeMs + 1, () => {});
      });
    },

    obey(label, order) {
      carry(() => {
        refreshConditions(label);
        whenAwake(labels, label, 0, () => labels.obey(label, order));
      });
    },

    forget() {
      memory += 1;
      labels.forget();
    },

    // A sleeping label wakes up to check in.
    checkIn(calls) {
      const asleep = [...labels.all()].filter(
        (label) => label.offline && met.has(label) && !isDead(label.barcode, life),
      );
      for (const label of asleep) {
        refreshConditions(label);
        label.offline = false;
      }
      labels.checkIn(calls);
      for (const label of asleep) label.offline = true;
    },
  });

  /** Completes a report with its label's firmware and place. */
  function complete(report: Report): Report {
    const version = firmwareOf(report.barcode, life);
    return {
      ...report,
      ...(transceivers && { transceiver: transceiverAt(report.barcode, clock(), transceivers) }),
      ...(version !== undefined && { hardwareRevision: `${report.hardwareRevision} ${version}` }),
    };
  }

  return {
    mishaps: mishaps as Readonly<Mishaps>,
    labels: wrap,
    reports:
      (pass: (report: Report) => void): ((report: Report) => void) =>
      (report) => {
        const completed = complete(report);
        const isLost = !reportsWay(() => pass(completed));
        if (isLost && report.transmission !== undefined) mishaps.lostReports += 1;
      },
  };
}
