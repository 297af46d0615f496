import { applyReport } from "../../../domain/labels/apply-report.ts";
import { beginSend } from "../../../domain/labels/next-transmission.ts";
import type { RetrySettings } from "../../../domain/labels/retry-waits.ts";
import type { EslImage } from "../../../schemas/image.ts";
import type { LabelReport } from "../../../schemas/label-report.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { wantImage } from "../../../workers/transmitter/wanted-image.ts";

/** Seconds since the start of the tests' time. */
export const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

export const settings: RetrySettings = {
  firstWaitMs: 1000,
  lastWaitMs: 8000,
  maxTries: 5,
  slowWaitMs: 3_600_000,
  // No jitter: tests of rules expect exact retry times.
  spread: 0,
  // Tests of rules expect transmission numbers to start at 1.
  leastNumber: () => 1,
};

/** A label's wanted pictures, page by page. */
export const picture = (...images: string[]): EslImage => ({
  pages: images.map((image, page) => ({ page, image })),
  shows: [],
});

/** The state after its due transmission has been sent. */
export function begun(state: LabelState, now: Date, retry = settings): LabelState {
  const next = beginSend(state, now, retry);
  if (next === undefined) throw new Error(`nothing is due at ${now.toISOString()}`);
  return next.state;
}

/** A label whose picture has been wanted since second 0 and was sent immediately. */
export const sendingState = (...images: string[]): LabelState =>
  begun(wantImage(newLabelState(), picture(...images), at(0)), at(0));

/** A report at a second of the label server's clock. */
export const report = (kind: LabelReport["kind"], seconds: number, fields: Partial<LabelReport> = {}): LabelReport => ({
  store: "t/demo/s/main",
  barcode: "A1",
  kind,
  at: at(seconds).toISOString(),
  ...fields,
});

/** The state after the acknowledgement of a transmission that landed at a second of the label server's clock. */
export const acknowledged = (state: LabelState, transmission: number, seconds: number, receivedAt = seconds) =>
  applyReport(state, report("acknowledged", seconds, { transmission }), at(receivedAt));
