import { randomUUID } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import fc from "fast-check";
import type { PageImage } from "../../../schemas/image.ts";
import { idOf, ownerOf } from "../../../schemas/keys.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import { ownSystem } from "../../harness/own.ts";
import { type Answer, openGlassScene } from "./glass-scene.ts";

const own = ownSystem();

/** Events of a label (the first has pages, the second shows a text), of reports, or of the label server. */
type Step =
  | { kind: "want"; label: number; images: string[] }
  | { kind: "wait"; seconds: number; rounds: number }
  | { kind: "report" | "lose"; nth: number; again: boolean }
  | { kind: "refresh" | keyof typeof labelChanges; label: number }
  | { kind: "answer"; answer: Answer }
  | { kind: "restart" };

/** Events of a label: it fails to receive its next picture, is unreachable, or sends a sign of life. */
const labelChanges = {
  "fails next": { failNext: 1 },
  "goes offline": { offline: true },
  "comes back": { offline: false },
  "checks in": { battery: "OK" },
} as const;
const label = fc.nat(1);
const nth = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("want" as const),
      label,
      images: fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      seconds: fc.constantFrom(0, 1, 10, 4_000),
      rounds: fc.constantFrom(1, 1, 6),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom("report" as const, "lose" as const), nth, again: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("refresh" as const, ...(Object.keys(labelChanges) as (keyof typeof labelChanges)[])),
      label,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("answer" as const),
      answer: fc.constantFrom("takes and hangs up" as const, "hangs up" as const, "busy" as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "restart" as const }) },
);

type Scene = Awaited<ReturnType<typeof openGlassScene>>;

const wait = (scene: Scene, seconds: number) => {
  scene.clock.now = new Date(scene.clock.now.getTime() + seconds * 1000);
};

/** The page images that a label is to show: of the second label, the first one's text. */
const pagesOf = (images: readonly string[], isText: boolean): PageImage[] =>
  images.slice(0, isText ? 1 : 2).map((image, page) => ({ page, image, ...(isText && { text: image }) }));

async function play(scene: Scene, keys: readonly string[], one: Step, turn: number): Promise<void> {
  const { waiting } = scene;
  const key = keys["label" in one ? one.label : 0] ?? "";
  const barcode = idOf(key);
  const set = (change: Parameters<ReturnType<Scene["emulator"]>["set"]>[1]) => {
    scene.emulator().obtain(barcode, ownerOf(key));
    scene.emulator().set(barcode, change);
  };
  if (one.kind === "want") await scene.want(key, pagesOf(one.images, one.label === 1));
  else if (one.kind === "refresh") await scene.refresh(key, turn);
  else if (one.kind === "answer") scene.answers.push(one.answer);
  else if (one.kind === "restart") scene.restart();
  else if ((one.kind === "report" || one.kind === "lose") && waiting.length > 0) {
    const index = one.nth % waiting.length;
    const reports = one.again ? waiting.slice(index, index + 1) : waiting.splice(index, 1);
    if (one.kind === "report") await scene.report(reports);
  } else if (one.kind in labelChanges) set(labelChanges[one.kind as keyof typeof labelChanges]);
  const { seconds, rounds } = one.kind === "wait" ? one : { seconds: 0.01, rounds: 1 };
  for (let round = 0; round < rounds; round += 1) {
    wait(scene, seconds);
    await scene.round();
    await assertNoLie(scene, keys);
  }
}

/** A label shows what it reports. */
async function assertNoLie(scene: Scene, keys: readonly string[]): Promise<void> {
  for (const key of keys) if ((await scene.plStateOf(key)) === "OK") assertShown(scene, key, "it reads OK");
}

function assertShown(scene: Scene, key: string, when: string): void {
  const [shown, wanted] = [scene.glassOf(key), scene.newest.get(key) ?? []].map((pages) => JSON.stringify(pages));
  if (shown !== wanted) throw new Error(`${when}, is to show ${wanted}, and shows ${shown}`);
}

const MAX_ROUNDS = 100;

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
  throw new Error(`after ${MAX_ROUNDS} rounds without faults something is due still`);
}

async function assertRight(t: ExecutionContext, scene: Scene, keys: readonly string[]): Promise<void> {
  const states = await heal(scene, keys);
  for (const [index, key] of keys.entries()) {
    assertShown(scene, key, "all was reported");
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

test("after lost, late, duplicate and reordered reports the newest picture ends on each label, and none reads OK before", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30, size: "max" }), async (steps) => {
      const scene = await openGlassScene(own, `t/demo/s/${randomUUID()}`);
      try {
        for (const image of ["a", "b", "c"]) await scene.storePicture(image);
        const keys = [await scene.hang(), await scene.hang()];
        for (const [turn, one] of steps.entries()) await play(scene, keys, one, turn);
        await assertRight(t, scene, keys);
      } finally {
        await scene.close();
      }
    }),
    { numRuns: 30 },
  );
});
