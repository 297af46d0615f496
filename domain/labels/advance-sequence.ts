import type { FlashSequence, Step } from "../../schemas/flash-sequence.ts";
import type { LastPress } from "../../schemas/label-signals.ts";

/** Returns a label's last known press; undefined if there was none. */
export type PressOf = (barcode: string) => LastPress | undefined;

type End = Pick<Step, "result" | "pressed">;

/** How long a process has to send a step's orders before another process sends them. */
export const LEASE_MS = 5_000;

/** Returns a new sequence whose first step is due immediately. */
export const beginSequence = (
  order: Pick<FlashSequence, "advance" | "steps">,
  pressOf: PressOf,
  now: Date,
): FlashSequence => {
  const begun = { ...order, state: "running" as const, createdAt: now, step: 0, toStop: [] };
  return enterStep(begun, 0, pressOf, now, now);
};

/**
 * Returns the sequence after the known presses, at the given time; undefined if it stays unchanged. The process that writes the
 * returned sequence sends its orders, and then writes `afterOrders`. A press has an effect only once, even if it is reported
 * twice.
 */
export function advanceSequence(sequence: FlashSequence, pressOf: PressOf, now: Date): FlashSequence | undefined {
  const { state, due, steps, step } = sequence;
  const current = state === "running" ? steps[step] : undefined;
  const byButton = sequence.advance === "button";
  const pressed = current && byButton ? pressOn(current, pressOf) : undefined;
  if (pressed) return endStep(sequence, { result: "pressed", pressed }, pressOf, now);
  if (due === undefined || due > now) return undefined;
  // The sequence's orders have not been sent: they are new, or the process that should have sent them has ended.
  if (hasOrders(sequence)) return { ...sequence, due: later(now, LEASE_MS) };
  const isMissed = byButton && current?.labels.some(({ hasButton }) => hasButton);
  return endStep(sequence, { result: isMissed ? "timed out" : "time over" }, pressOf, now);
}

/** Returns the sequence stopped by a call; undefined if it has already ended. */
export const stopSequence = (sequence: FlashSequence, now: Date): FlashSequence | undefined =>
  sequence.state === "running"
    ? { ...withEnd(sequence, { result: "stopped" }, now), state: "stopped", endedAt: now, due: now }
    : undefined;

/** Whether orders of the sequence are still to be sent. */
export const hasOrders = ({ state, litAt, toStop }: FlashSequence): boolean =>
  toStop.length > 0 || (state === "running" && litAt === undefined);

/**
 * Returns the sequence after its orders have been sent; undefined if the sequence has since advanced, so its current orders are
 * different.
 */
export function afterOrders(
  sequence: FlashSequence,
  sent: Pick<FlashSequence, "step" | "state">,
  now: Date,
): FlashSequence | undefined {
  if (sequence.step !== sent.step || sequence.state !== sent.state || !hasOrders(sequence)) return undefined;
  const { due, ...done } = { ...sequence, toStop: [] };
  if (sequence.state !== "running") return done;
  const durations = sequence.steps[sequence.step]?.labels.map(({ flash }) => flash.duration) ?? [];
  return { ...done, litAt: now, due: later(now, Math.max(...durations) * 1000) };
}

/** Returns the index of the first step from this one on that has a label; the number of steps if there is none. */
export function nextStep({ steps }: Pick<FlashSequence, "steps">, from: number): number {
  const index = steps.findIndex(({ labels }, position) => position >= from && labels.length > 0);
  return index < 0 ? steps.length : index;
}

/** Returns the press of the first label in this step that was pressed after the step began. */
function pressOn({ labels }: Step, pressOf: PressOf): Step["pressed"] {
  for (const { barcode, hasButton, pressedBefore } of labels) {
    const press = hasButton ? pressOf(barcode) : undefined;
    if (press && (pressedBefore === undefined || press.at > pressedBefore)) return { barcode, ...press };
  }
  return undefined;
}

const endStep = (sequence: FlashSequence, end: End, pressOf: PressOf, now: Date): FlashSequence =>
  enterStep(withEnd(sequence, end, now), sequence.step + 1, pressOf, now, later(now, LEASE_MS));

/** Returns the sequence with the end of its current step, whose labels must stop flashing. */
function withEnd(sequence: FlashSequence, end: End, now: Date): FlashSequence {
  const { litAt, ...rest } = sequence;
  const steps = rest.steps.map((step, index) => (index === rest.step ? { ...step, ...end, endedAt: now } : step));
  const labels = rest.steps[rest.step]?.labels.map(({ barcode }) => barcode) ?? [];
  return { ...rest, steps, toStop: [...new Set([...rest.toStop, ...labels])] };
}

/**
 * Enters the next step that has a label, and records the last presses before the step. Without such a step, the sequence is
 * finished.
 */
function enterStep(sequence: FlashSequence, from: number, pressOf: PressOf, now: Date, due: Date): FlashSequence {
  const next = nextStep(sequence, from);
  const steps = sequence.steps.map((step, index) => {
    if (index === next) return withPresses(step, pressOf);
    return index >= from && index < next ? { ...step, result: "skipped" as const, endedAt: now } : step;
  });
  const entered = { ...sequence, steps, step: next };
  if (next < steps.length) {
    const lit = steps[next]?.labels.map(({ barcode }) => barcode) ?? [];
    return { ...entered, toStop: sequence.toStop.filter((barcode) => !lit.includes(barcode)), due };
  }
  const { due: _, ...finished } = { ...entered, state: "finished" as const, endedAt: now };
  return finished.toStop.length > 0 ? { ...finished, due } : finished;
}

const withPresses = (step: Step, pressOf: PressOf): Step => ({
  ...step,
  labels: step.labels.map((label) => {
    const press = pressOf(label.barcode);
    return press ? { ...label, pressedBefore: press.at } : label;
  }),
});

const later = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds);
