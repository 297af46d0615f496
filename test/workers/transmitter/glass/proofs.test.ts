import { randomUUID } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import fc from "fast-check";
import { createReadShown } from "../../../../api/proofs/read-shown.ts";
import type { ShownAt } from "../../../../domain/labels/proof/shown-at.ts";
import { openGlassLog } from "../../../../records/glass-log.ts";
import type { GlassPicture } from "../../../../schemas/glass.ts";
import { idOf, ownerOf } from "../../../../schemas/keys.ts";
import { ownSystem } from "../../../harness/own.ts";
import { isThorough, runsToTry } from "../../../harness/searches/effort.ts";
import { at, settings } from "../states.ts";
import { openGlassScene, type ShownThen } from "./glass-scene.ts";
import { playStep, priceOf, type Scene, step, wait } from "./glass-steps.ts";

const own = ownSystem();

/** The number of histories in a normal run and in a thorough run. */
const [SOME, ALL] = [20, 60];
const MOMENTS_EACH = 50;
const SEED = 39;
const IMAGES = ["a", "b", "c"];
const LONG_AGO = new Date(0);
/** A transmission's number is its time, as in every installation. */
const retry = { ...settings, leastNumber: (now: Date) => now.getTime() };

/** The picture that a label showed at a time, according to the label; undefined before its first picture. */
const truthAt = (log: readonly ShownThen[], label: string, page: number, moment: Date): string | undefined =>
  log.findLast((one) => one.label === label && one.page === page && one.at <= moment)?.image;

/**
 * Plays seeded histories of lost, late, repeated and reordered reports; calls `check` with the scene at the end of
 * each.
 */
async function playHistories(
  t: ExecutionContext,
  aheadMs: number,
  check: (scene: Scene, keys: readonly string[], random: Random) => Promise<void>,
) {
  const histories = fc.sample(
    fc.tuple(fc.array(step, { minLength: 15, maxLength: 40, size: "max" }), fc.infiniteStream(fc.maxSafeNat())),
    { seed: SEED, numRuns: runsToTry(t, SOME, ALL, "histories") },
  );
  for (const [steps, random] of histories) {
    const scene = await openGlassScene(own, `t/demo/s/${randomUUID()}`, { aheadMs, retry });
    try {
      for (const image of IMAGES) await scene.storePicture(image);
      const keys = [await scene.hang(), await scene.hang()];
      const below: Random = (bound) => (random.next().value ?? 0) % bound;
      const reportSome = async () => {
        if (below(3) > 0) await scene.report(scene.waiting.splice(0));
      };
      for (const [turn, one] of steps.entries()) {
        await playStep(scene, keys, one, turn, reportSome);
        if (turn % 4 === 3) await recover(scene, keys);
      }
      await check(scene, keys, below);
    } finally {
      await scene.close();
    }
  }
}
/** Ends the faults of the labels and their label server, since most faults end in practice, and delivers what is due. */
async function recover(scene: Scene, keys: readonly string[]): Promise<void> {
  scene.answers.length = 0;
  for (const key of keys) {
    scene.emulator().obtain(idOf(key), ownerOf(key));
    scene.emulator().set(idOf(key), { offline: false, failNext: 0 });
  }
  for (let round = 0; round < 4; round += 1) {
    wait(scene, 30);
    await scene.round();
    await scene.report(scene.waiting.splice(0));
  }
}

type Random = (below: number) => number;

/** Proves what labels showed at random moments, and compares each proof with the label's own record. */
async function proveMoments(
  t: ExecutionContext,
  aheadMs: number,
  compare: (proven: ShownAt, truth: string | undefined) => void,
) {
  const read = createReadShown(own.system.records, openGlassLog(own.system.db));
  await playHistories(t, aheadMs, async (scene, keys, random) => {
    const lengthMs = scene.clock.now.getTime() - at(0).getTime();
    for (let count = 0; count < MOMENTS_EACH; count += 1) {
      // Half of the moments are close to a change.
      const near = scene.shownLog[random(scene.shownLog.length + 1)]?.at.getTime() ?? at(0).getTime();
      const time = count % 2 === 0 ? at(0).getTime() + random(lengthMs + 1) : near + random(4_000) - 2_000;
      const moment = new Date(Math.min(time, scene.clock.now.getTime()));
      const page = { label: keys[random(2)] ?? "", page: random(4) === 0 ? 1 : 0 };
      const [proven] = await read([page], moment, LONG_AGO);
      if (proven) compare(proven, truthAt(scene.shownLog, page.label, page.page, moment));
    }
  });
}

const mayBe = ({ shown, others }: ShownAt, truth: string | undefined): boolean =>
  others === undefined || [shown, ...others].some((one) => one?.image === truth);

function assertPrices(t: ExecutionContext, pictures: readonly (GlassPicture | undefined)[]): void {
  for (const { image, items, uploaded } of pictures.flatMap((one) => one ?? []))
    if (!uploaded) t.is(items[0]?.price, priceOf(image));
}

test.serial("proofs of random moments agree with what the labels actually showed", async (t) => {
  const counts = { CERTAIN: 0, LABEL_SERVER_CLOCK: 0, UNKNOWN: 0 };
  await proveMoments(t, 0, (proven, truth) => {
    counts[proven.certainty] += 1;
    const said = JSON.stringify({ ...proven, truth });
    if (proven.certainty === "CERTAIN") t.is(proven.shown?.image, truth, said);
    else t.true(mayBe(proven, truth), said);
    assertPrices(t, [proven.shown]);
  });
  t.log(counts);
  t.is(counts.CERTAIN + counts.LABEL_SERVER_CLOCK + counts.UNKNOWN, (isThorough ? ALL : SOME) * MOMENTS_EACH);
  t.true(counts.CERTAIN > 100, "a proof is certain unless something was lost");
});

for (const aheadMs of [3_600_000, -3_600_000])
  test.serial(`no proof is wrong if a label server's clock is ${aheadMs / 3_600_000} h ahead`, async (t) => {
    let certain = 0;
    await proveMoments(t, aheadMs, (proven, truth) => {
      const said = JSON.stringify({ ...proven, truth });
      if (proven.certainty === "CERTAIN") t.is(proven.shown?.image, truth, said);
      else t.true(mayBe(proven, truth), said);
      if (proven.certainty === "CERTAIN") certain += 1;
    });
    t.true(certain > 100);
  });
