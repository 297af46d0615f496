import fc from "fast-check";
import type { PageImage, Shown } from "../../../../schemas/image.ts";
import { idOf, ownerOf } from "../../../../schemas/keys.ts";
import { STORE } from "../scene.ts";
import type { Answer, openGlassScene } from "./glass-scene.ts";

/** Events of a label (the first has pages, the second shows a text), of reports, or of the label server. */
export type Step =
  | { kind: "want"; label: number; images: string[] }
  | { kind: "wait"; seconds: number; rounds: number }
  | { kind: "report" | "lose"; nth: number; again: boolean }
  | { kind: "refresh" | keyof typeof labelChanges; label: number }
  | { kind: "answer"; answer: Answer }
  | { kind: "restart" };

/** A label's events: it fails to receive its next picture, goes offline or comes back, or checks in. */
const labelChanges = {
  "fails next": { failNext: 1 },
  "goes offline": { offline: true },
  "comes back": { offline: false },
  "checks in": { battery: "OK" },
} as const;
const label = fc.nat(1);
const nth = fc.nat(3);
/** Any event. */
export const step: fc.Arbitrary<Step> = fc.oneof(
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

export type Scene = Awaited<ReturnType<typeof openGlassScene>>;

/** Lets time pass. */
export const wait = (scene: Scene, seconds: number) => {
  scene.clock.now = new Date(scene.clock.now.getTime() + seconds * 1000);
};

/** A picture's contents: an item at a price that no other picture has. */
const shownWith = (image = ""): Shown[] => [
  { link: "l", linkRev: 1, item: `${STORE}/items/${image}`, itemRev: 2, price: priceOf(image) },
];
export const priceOf = (image: string): string => `${image.charCodeAt(0)}.99`;

/** The page images that a label should show; the second label shows the first image's text. */
const pagesOf = (images: readonly string[], isText: boolean): PageImage[] =>
  images.slice(0, isText ? 1 : 2).map((image, page) => ({ page, image, ...(isText && { text: image }) }));

/** Plays an event; calls `after` after each round of the transmitter's timers. */
export async function playStep(
  scene: Scene,
  keys: readonly string[],
  one: Step,
  turn: number,
  after: () => Promise<void>,
): Promise<void> {
  const { waiting } = scene;
  const key = keys["label" in one ? one.label : 0] ?? "";
  const barcode = idOf(key);
  const set = (change: Parameters<ReturnType<Scene["emulator"]>["set"]>[1]) => {
    scene.emulator().obtain(barcode, ownerOf(key));
    scene.emulator().set(barcode, change);
  };
  if (one.kind === "want") await scene.want(key, pagesOf(one.images, one.label === 1), shownWith(one.images[0]));
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
    await after();
  }
}
