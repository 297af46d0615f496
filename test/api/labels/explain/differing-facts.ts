import type { PositionFacts } from "../../../../api/labels/explain/explanation-facts.ts";
import type { ItemPages } from "../../../../schemas/page-image.ts";
import { at, factsOfALabel, ITEM, KEY, revAt, stored } from "./facts-of-a-label.ts";

/** The facts of a correct label. */
export type Facts = ReturnType<typeof factsOfALabel>;

/** An item's page images, written at this minute after ten. */
export const pagesAt = (minute: number, sources: ItemPages["sources"] = []) => ({
  ...{ _id: ITEM, rev: revAt(minute), itemId: "apple", images: [], removed: [], sources },
});
/** The facts of a label whose position differs. */
export const position = (differs: Partial<PositionFacts>): Partial<Facts> => {
  const [present] = factsOfALabel().positions;
  return { positions: [{ ...present, ...differs }] };
};
/** The facts of a label with two positions: the first has new page images, and the second has the values in `differs`. */
export const beside = (differs: Partial<PositionFacts>): Partial<Facts> => {
  const [present] = factsOfALabel().positions;
  const first = { ...present, pages: pagesAt(7) };
  return { positions: [first, { ...present, displayPosition: 1, ...differs }] as unknown as Facts["positions"] };
};
/** The facts of a label whose state differs. */
export const state = (differs: object): Partial<Facts> => {
  const present = factsOfALabel().state;
  return present ? { state: { ...present, ...differs } } : {};
};
/** The facts of a label whose item was written at eight minutes past ten and has not been drawn since. */
export const itemMoved: Partial<Facts> = {
  revs: new Map([...factsOfALabel().revs, [`storeitemvalues.v1 ${ITEM}`, revAt(8)]]),
};
/** The facts of a label, with one queue that differs from an empty queue with one process. */
export const queues = (name: string, differs: object): Partial<Facts> => {
  const present = factsOfALabel().queues;
  return { queues: { ...present, [name]: { waiting: 0, active: 0, processes: 1, ...differs } } as Facts["queues"] };
};
/** The first page, with another picture. */
export const another = { page: 0, image: "b".repeat(64) };
/** A state in which the label should show a picture other than the one that it shows. */
export const wantsAnother = { wanted: [another] };
/** The transmission of that other picture. */
export const sending = { ...another, number: revAt(6) };
/** The picture of the correct label, and the label itself. */
export const { image: present, label } = factsOfALabel();
/** The facts of a label whose composed picture has these pages. */
export const imageOf = (pages: object[]) => (present ? { image: { ...present, pages } as Facts["image"] } : {});

/** A failure in a queue that is retried. */
export const failure = (queue: string) =>
  stored(`${KEY}/failures/${queue}/x`, 6, {
    queue,
    topic: "storeitemvalues.v1",
    reason: "the disk is full",
    since: at(6),
    attempts: 2,
    retryAt: at(12),
  }) as unknown as Facts["failures"][number];
