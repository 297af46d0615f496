import test from "ava";
import fc from "fast-check";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import { beginSend } from "../../../../domain/labels/next-transmission.ts";
import { type ShownAt, shownAt } from "../../../../domain/labels/proof/shown-at.ts";
import type { GlassEntry } from "../../../../schemas/glass.ts";
import type { ReceivedReport } from "../../../../schemas/label-report.ts";
import { type LabelState, newLabelState } from "../../../../schemas/label-state.ts";
import { glassEntries } from "../../../../workers/transmitter/reports/glass-entries.ts";
import { wantImage } from "../../../../workers/transmitter/wanted-image.ts";
import { at, picture, report, settings } from "../states.ts";

const HISTORIES = 200;
const MOMENTS_EACH = 50;
const SEED = 39;
const LONG_AGO = new Date(0);
/** A transmission's number is its time, as in every installation. */
const retry = { ...settings, leastNumber: (now: Date) => now.getTime() };

const step = fc.record({
  kind: fc.constantFrom(...(["want", "send", "send", "land", "land", "lose", "report", "report", "forget"] as const)),
  image: fc.constantFrom("a", "b", "c"),
  afterMs: fc.integer({ min: 1, max: 20_000 }),
  which: fc.nat(),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A fraction of a history, uniformly distributed. */
const share = fc.noBias(fc.integer({ min: 0, max: 999_999 })).map((millionths) => millionths / 1e6);

/** A small model of a label: the pictures that it has shown, and when each appeared. */
interface Shown {
  image: string;
  at: number;
}

/** Plays pictures that land or are lost, and reports that arrive late, in any order or never. */
function play(steps: readonly Step[]) {
  let [state, now]: [LabelState, number] = [newLabelState(), at(0).getTime()];
  /** When the label received each transmission, in seconds. */
  const delivered = new Map<number, number>();
  const [air, reports, entries, truth]: [{ number: number; image: string }[], ReceivedReport[], GlassEntry[], Shown[]] =
    [[], [], [], []];
  const take = <One>(from: One[], which: number): One | undefined =>
    from.splice(which % Math.max(1, from.length), 1)[0];
  const acts: Record<Step["kind"], (one: Step) => void> = {
    want: ({ image }) => {
      state = wantImage(state, picture(image), new Date(now));
    },
    send() {
      const next = beginSend(state, new Date(now), retry);
      if (next === undefined) return;
      state = next.state;
      if (next.send) air.push({ number: next.send.number, image: next.send.image });
    },
    land({ which }) {
      const landed = take(air, which);
      if (landed === undefined) return;
      // A label shows the newest picture that reaches it, and acknowledges a picture that is sent again.
      if (landed.number > Math.max(0, ...delivered.keys())) {
        truth.push({ image: landed.image, at: now });
        delivered.set(landed.number, (now - at(0).getTime()) / 1000);
      }
      const seconds = delivered.get(landed.number);
      if (seconds !== undefined) reports.push(report("acknowledged", seconds, { transmission: landed.number }));
    },
    lose: ({ which }) => void take(air, which),
    report({ which }) {
      const found = take(reports, which);
      if (found === undefined) return;
      const received = { ...found, receivedAt: new Date(now) };
      entries.push(...glassEntries(state, [received], new Date(now)));
      state = applyReport(state, received, new Date(now));
    },
    forget: ({ which }) => void take(reports, which),
  };
  /** Delivers and reports what is due, since most faults end in practice. */
  function recover(one: Step): void {
    for (let round = 0; round < 4; round += 1) {
      now += 30_000;
      acts.send(one);
      while (air.length > 0) acts.land(one);
      while (reports.length > 0) acts.report(one);
    }
  }
  for (const [turn, one] of steps.entries()) {
    now += one.afterMs;
    acts[one.kind](one);
    if (turn % 4 === 3) recover(one);
  }
  return { record: { page: 0, entries, state }, truth, now };
}

const mayBe = ({ shown, others }: ShownAt, image: string | undefined): boolean =>
  others === undefined || [shown, ...others].some((one) => one?.image === image);

test("10,000 proofs of random moments agree with a model of the label", (t) => {
  const counts = { CERTAIN: 0, LABEL_SERVER_CLOCK: 0, UNKNOWN: 0 };
  const history = fc.tuple(
    fc.array(step, { minLength: 30, maxLength: 80, size: "max" }),
    fc.array(share, {
      minLength: MOMENTS_EACH,
      maxLength: MOMENTS_EACH,
      size: "max",
    }),
  );
  for (const [steps, moments] of fc.sample(history, { seed: SEED, numRuns: HISTORIES })) {
    const { record, truth, now } = play(steps);
    const start = at(0).getTime();
    for (const [index, part] of moments.entries()) {
      // Half of the moments are close to a change.
      const near = truth[Math.floor(part * truth.length)]?.at ?? start;
      const time = index % 2 === 0 ? start + part * (now - start) : near + ((part * 1e6) % 4_000) - 2_000;
      const moment = new Date(Math.min(Math.floor(time), now));
      const proven = shownAt(record, moment, LONG_AGO);
      const image = truth.findLast((one) => one.at <= moment.getTime())?.image;
      counts[proven.certainty] += 1;
      const isRight = proven.certainty === "CERTAIN" ? proven.shown?.image === image : mayBe(proven, image);
      if (!isRight) t.fail(`${moment.toISOString()}: ${image}, but ${JSON.stringify({ ...proven, record })}`);
    }
  }
  t.log(counts);
  t.is(counts.CERTAIN + counts.LABEL_SERVER_CLOCK + counts.UNKNOWN, HISTORIES * MOMENTS_EACH);
  t.true(counts.CERTAIN > 1_000, "a proof is certain unless something was lost");
});
