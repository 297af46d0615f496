import { applyReport } from "../../../domain/labels/apply-report.ts";
import { beginSend, putOff } from "../../../domain/labels/next-transmission.ts";
import { refreshState } from "../../../domain/labels/resend-pages.ts";
import type { LabelReport } from "../../../schemas/label-report.ts";
import { type LabelState, newLabelState, type Transmission } from "../../../schemas/label-state.ts";
import { wantImage } from "../../../workers/transmitter/wanted-image.ts";
import { at, picture, report, settings } from "./states.ts";

/**
 * Events of a simulation: a picture is wanted, time passes, the label server is busy, the nth transmission under way
 * lands, fails or is lost, or the nth report is received or lost.
 */
export type Step =
  | { kind: "want"; images: string[] }
  | { kind: "refresh" }
  | { kind: "wait"; seconds: number }
  | { kind: "busy" }
  | { kind: "land" | "fail" | "lose"; nth: number }
  | { kind: "receive"; nth: number; again: boolean }
  | { kind: "lose report"; nth: number };

/**
 * A label server keeps this many of the last transmissions. It drops earlier ones, but first reports those that have landed.
 */
const KEPT_TRANSMISSIONS = 7;

/** A label and its label server, together with the transmitter's state for the label. */
export function createSimulation() {
  const started: Transmission[] = [];
  const refreshes: { pages: number[]; after: number }[] = [];
  const glass = new Map<number, string>();
  let state: LabelState = newLabelState();
  let air: Transmission[] = [];
  let reports: LabelReport[] = [];
  let seconds = 0;
  let isBusy = false;

  const receive = (one: LabelReport) => {
    state = applyReport(state, one, at(seconds));
  };
  const land = ({ number, page, image }: Transmission) => {
    glass.set(page, image);
    reports.push(report("acknowledged", seconds, { transmission: number }));
  };

  /** Runs the transmitter once for the label. */
  function tick(): void {
    seconds += 0.01;
    const next = beginSend(state, at(seconds), settings);
    if (next === undefined) return;
    state = next.state;
    if (next.send === undefined) return;
    started.push(next.send);
    if (isBusy) state = putOff(state, next.send.number, at(seconds + 3));
    else air.push(next.send);
    isBusy = false;
    const lastDropped = state.transmissions - KEPT_TRANSMISSIONS;
    air = air.filter(({ number }) => number > lastDropped);
    for (const old of reports.filter(({ transmission = 0 }) => transmission <= lastDropped)) receive(old);
    reports = reports.filter(({ transmission = 0 }) => transmission > lastDropped);
  }

  const take = <T>(from: T[], nth: number): T | undefined =>
    from.length > 0 ? from.splice(nth % from.length, 1)[0] : undefined;

  function play(step: Step): void {
    if (step.kind === "want") state = wantImage(state, picture(...step.images), at(seconds));
    else if (step.kind === "refresh") {
      refreshes.push({ pages: state.wanted.map(({ page }) => page), after: state.transmissions });
      state = refreshState(state, refreshes.length, at(seconds));
    } else if (step.kind === "wait") seconds += step.seconds;
    else if (step.kind === "busy") isBusy = true;
    else if (step.kind === "receive") {
      const one = take(reports, step.nth);
      if (one) receive(one);
      if (one && step.again) reports.push(one);
    } else if (step.kind === "lose report") take(reports, step.nth);
    else {
      const one = take(air, step.nth);
      if (one && step.kind === "land") land(one);
      if (one && step.kind === "fail") reports.push(report("failed", seconds, { transmission: one.number }));
    }
  }

  return {
    /** All transmissions in the order in which they started, including retries. */
    started: started as readonly Transmission[],
    /** The wanted pictures at the last refresh request, and the latest transmission at that time. */
    refreshes: refreshes as readonly { pages: number[]; after: number }[],
    glassOf: () => [...glass].sort(([one], [other]) => one - other).map(([page, image]) => ({ page, image })),
    state: () => state,

    play(step: Step): void {
      seconds += 0.01;
      play(step);
      tick();
    },

    /** Lets all transmissions land and be reported, until nothing is due. */
    settle(): void {
      for (let turn = 0; turn < 100; turn += 1) {
        seconds += 0.01;
        for (const one of air.splice(0)) land(one);
        for (const one of reports.splice(0)) receive(one);
        if (state.sendDue === undefined) return;
        seconds = Math.max(seconds, (state.sendDue.getTime() - at(0).getTime()) / 1000);
        tick();
      }
    },
  };
}
