import { randomUUID } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import fc from "fast-check";
import { idOf } from "../../../../schemas/keys.ts";
import type { LabelState } from "../../../../schemas/label-state.ts";
import { ownSystem } from "../../../harness/own.ts";
import { runsToTry } from "../../../harness/searches/effort.ts";
import { openGlassScene } from "./glass-scene.ts";
import { playStep, type Scene, step, wait } from "./glass-steps.ts";

const own = ownSystem();

/** Throws if a label that is reported OK does not show its newest picture. */
async function assertNoLie(scene: Scene, keys: readonly string[]): Promise<void> {
  for (const key of keys) if ((await scene.plStateOf(key)) === "OK") assertShown(scene, key, "it reads OK");
}

function assertShown(scene: Scene, key: string, when: string): void {
  const [shown, wanted] = [scene.glassOf(key), scene.newest.get(key) ?? []].map((pages) => JSON.stringify(pages));
  if (shown !== wanted) throw new Error(`${when}, should show ${wanted}, and shows ${shown}`);
}

const MAX_ROUNDS = 100;
const SEED = 39;

/** Ends all faults, and lets time pass until nothing is due. */
async function heal(scene: Scene, keys: readonly string[]): Promise<LabelState[]> {
  scene.answers.length = 0;
  for (const key of keys) scene.emulator().set(idOf(key), { offline: false, failNext: 0 });
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    wait(scene, 0.01);
    await scene.report(scene.waiting.splice(0).reverse());
    await scene.round();
    await assertNoLie(scene, keys);
    const states = await Promise.all(keys.map(scene.read));
    const due = states.flatMap(({ sendDue }) => sendDue ?? []);
    if (due.length === 0 && scene.waiting.length === 0) return states;
    const untilMs = Math.min(...due.map((date) => date.getTime())) - scene.clock.now.getTime();
    if (scene.waiting.length === 0) wait(scene, Math.max(0, untilMs / 1000));
  }
  throw new Error(`after ${MAX_ROUNDS} rounds without faults something is still due`);
}

async function assertRight(t: ExecutionContext, scene: Scene, keys: readonly string[]): Promise<void> {
  const states = await heal(scene, keys);
  for (const [index, key] of keys.entries()) {
    assertShown(scene, key, "everything was reported");
    t.is(await scene.plStateOf(key), scene.newest.has(key) ? "OK" : "NEW");
    t.like(states[index], { sending: undefined, sendDue: undefined });
  }
  t.deepEqual(await scene.findStale([...keys]), []);
  const { received } = scene.emulator().totals();
  for (let hour = 0; hour < 3; hour += 1) {
    wait(scene, 3_600);
    await scene.round();
  }
  t.is(scene.emulator().totals().received, received, "a label that shows its picture is sent nothing");
  t.deepEqual(scene.errors, []);
}

test("after lost, late, duplicate and reordered reports, each label ends up showing the newest picture, and no label is reported OK before that", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30, size: "max" }), async (steps) => {
      const scene = await openGlassScene(own, `t/demo/s/${randomUUID()}`);
      try {
        for (const image of ["a", "b", "c"]) await scene.storePicture(image);
        const keys = [await scene.hang(), await scene.hang()];
        for (const [turn, one] of steps.entries())
          await playStep(scene, keys, one, turn, () => assertNoLie(scene, keys));
        await assertRight(t, scene, keys);
      } finally {
        await scene.close();
      }
    }),
    { numRuns: runsToTry(t, 30, 120, "histories"), seed: SEED },
  );
});
