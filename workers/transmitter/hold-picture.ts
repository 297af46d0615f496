import type { Choice, Unread } from "../../queues/publish/choices.ts";
import type { EslImage, Shown } from "../../schemas/image.ts";

/** So long after its item changed a picture waits for the choice of its design, and then it goes. */
export const MAX_HOLD_MS = 2_000;

/**
 * The parts of a picture drawn with a design chosen by the rules, for an item that has just changed; revs are times.
 */
export function mayBeHeld({ shows, chosen = [] }: Pick<EslImage, "shows" | "chosen">, now: Date): Shown[] {
  return shows.filter(({ link, itemRev }) => chosen.includes(link) && itemRev + MAX_HOLD_MS > now.getTime());
}

/** What is known of the rules' choices for some pictures. */
export interface KnownChoices {
  /** By link. */
  choices: ReadonlyMap<string, Choice>;
  /** By item: its latest changes that no rule reads. */
  unread: ReadonlyMap<string, Unread>;
}

/**
 * Whether the rules have chosen for the current state of an item or a later one, or for an earlier one since which nothing
 * changed that they read. A state so old that no picture of it would be held is decided as well.
 */
export function isDecided({ link, item, itemRev }: Shown, { choices, unread }: KnownChoices, now: Date): boolean {
  const chosenFor = choices.get(link)?.itemRev ?? 0;
  if (chosenFor >= itemRev) return true;
  const { from, to } = unread.get(item) ?? { from: itemRev, to: 0 };
  return to >= itemRev && from < itemRev && (chosenFor >= from || from + MAX_HOLD_MS <= now.getTime());
}

/**
 * Until when a picture is held back: the rules have not chosen for the current state of its item yet, or have chosen
 * another design whose picture is still being made (docs/rules.md#the-eleven-rules, rule 11). Undefined if it may be
 * sent.
 */
export function holdUntil(image: Pick<EslImage, "shows" | "chosen">, known: KnownChoices, now: Date): Date | undefined {
  const isOther = ({ link, design }: Shown) => {
    const choice = known.choices.get(link);
    return choice !== undefined && choice.design !== (design ?? null);
  };
  const held = mayBeHeld(image, now).filter((one) => !isDecided(one, known, now) || isOther(one));
  return held.length === 0 ? undefined : new Date(Math.max(...held.map(({ itemRev }) => itemRev)) + MAX_HOLD_MS);
}
