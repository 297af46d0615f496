import type { PositionFacts } from "../../../../api/labels/explain/explanation-facts.ts";
import type { ItemPages } from "../../../../schemas/page-image.ts";
import { at, factsOfALabel, ITEM, KEY, revAt, stored } from "./facts-of-a-label.ts";

/** What a correct label is explained from. */
export type Facts = ReturnType<typeof factsOfALabel>;

/** An item's images of pages, as they were written at a minute. */
export const pagesAt = (minute: number, sources: ItemPages["sources"] = []) => ({
  ...{ _id: ITEM, rev: revAt(minute), itemId: "apple", images: [], removed: [], sources },
});
/** The facts of a label that differ in those of its position. */
export const position = (differs: Partial<PositionFacts>): Partial<Facts> => {
  const [present] = factsOfALabel().positions;
  return { positions: [{ ...present, ...differs }] };
};
/** A position whose item has new images of pages, and another one. */
export const beside = (differs: Partial<PositionFacts>): Partial<Facts> => {
  const [present] = factsOfALabel().positions;
  const first = { ...present, pages: pagesAt(7) };
  return { positions: [first, { ...present, displayPosition: 1, ...differs }] as unknown as Facts["positions"] };
};
/** The facts of a label that differ in its state. */
export const state = (differs: object): Partial<Facts> => {
  const present = factsOfALabel().state;
  return present ? { state: { ...present, ...differs } } : {};
};
/** The item was written at ten past, and nobody has drawn it since. */
export const itemMoved: Partial<Facts> = {
  revs: new Map([...factsOfALabel().revs, [`storeitemvalues.v1 ${ITEM}`, revAt(8)]]),
};
/** The facts of a label, with a queue that differs from an empty one with a process. */
export const queues = (name: string, differs: object): Partial<Facts> => {
  const present = factsOfALabel().queues;
  return { queues: { ...present, [name]: { waiting: 0, active: 0, processes: 1, ...differs } } as Facts["queues"] };
};
/** The page of another picture. */
export const another = { page: 0, image: "b".repeat(64) };
/** A state that wants another picture than it shows. */
export const wantsAnother = { wanted: [another] };
/** The transmission of that other picture. */
export const sending = { ...another, number: revAt(6) };
/** The picture that the label has, and the label. */
export const { image: present, label } = factsOfALabel();
/** The facts of a label whose composed picture has these pages. */
export const imageOf = (pages: object[]) => (present ? { image: { ...present, pages } as Facts["image"] } : {});

/** A failure of a queue that is tried again. */
export const failure = (queue: string) =>
  stored(`${KEY}/failures/${queue}/x`, 6, {
    queue,
    topic: "storeitemvalues.v1",
    reason: "the disk is full",
    since: at(6),
    attempts: 2,
    retryAt: at(12),
  }) as unknown as Facts["failures"][number];
