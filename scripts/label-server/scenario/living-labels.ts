import type { EmulatedLabel, Report, Transmission } from "../emulated-label.ts";
import { createLabels } from "../labels.ts";
import { liveThrough } from "./live-through.ts";
import { openChances } from "./message-faults.ts";
import type { Scenario } from "./scenario.ts";

/** Callbacks about the labels, before anything is lost. */
export interface Observer {
  /** Called with each picture that is accepted. */
  onReceive?(label: EmulatedLabel, transmission: Transmission): void;
  /** Called with each report of a label. */
  onReport?(report: Report): void;
}

interface Options extends Observer {
  scenario: Scenario;
  airTimeMs: number;
  /** Sends a report that is not lost. */
  send(report: Report): void;
}

/** Opens labels that live through a scenario, on this process's clock. */
export function openLivingLabels({ scenario, airTimeMs, send, onReceive, onReport }: Options) {
  const chances = openChances(scenario.seed);
  const life = liveThrough(scenario, chances);
  const pass = life.reports(send);
  const report = (one: Report) => {
    onReport?.(one);
    pass(one);
  };
  const labels = life.labels(createLabels({ airTimeMs, report, now: () => new Date() }));
  const observed: typeof labels = {
    ...labels,
    receive(label, transmission) {
      onReceive?.(label, transmission);
      labels.receive(label, transmission);
    },
  };
  return { labels, observed, mishaps: life.mishaps, after: chances.after, close: chances.close };
}
