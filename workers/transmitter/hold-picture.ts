import type { Choice, Unread } from "../../queues/publish/choices.ts";
import type { EslImage, Shown } from "../../schemas/image.ts";

/** Maximum time for which a picture waits for the choice of its design after a change to its item; it is then sent. */
export const MAX_HOLD_MS = 2_000;

/** Returns the parts of a picture whose design the rules chose and whose item has just changed; revs are times. */
export function mayBeHeld({ shows, chosen = [] }: Pick<EslImage, "shows" | "chosen">, now: Date): Shown[] {
  return shows.filter(({ link, itemRev }) => chosen.includes(link) && itemRev + MAX_HOLD_MS > now.getTime());
}

/** The known choices of the rules for some pictures. */
export interface KnownChoices {
  /** By link. */
  choices: ReadonlyMap<string, Choice>;
  /** By item: its latest changes that no rule reads. */
  unread: ReadonlyMap<string, Unread>;
}

/**
 * Whether the rules have chosen for an item's current or a later state. A choice for an earlier state counts, too, if nothing
 * that the rules read has changed since. A state that is too old for its picture to be held also counts as decided.
 */
export function isDecided({ link, item, itemRev }: Shown, { choices, unread }: KnownChoices, now: Date): boolean {
  const chosenFor = choices.get(link)?.itemRev ?? 0;
  if (chosenFor >= itemRev) return true;
  const { from, to } = unread.get(item) ?? { from: itemRev, to: 0 };
  return to >= itemRev && from < itemRev && (chosenFor >= from || from + MAX_HOLD_MS <= now.getTime());
}

/**
 * Returns the time until which to hold a picture back; undefined if it may be sent. It is held if the rules have not yet chosen
 * for its item's current state, or if they have chosen a different design and the picture of that design is not drawn yet
 * (docs/rules.md#the-eleven-rules, rule 11).
 */
export function holdUntil(image: Pick<EslImage, "shows" | "chosen">, known: KnownChoices, now: Date): Date | undefined {
  const isOther = ({ link, design }: Shown) => {
    const choice = known.choices.get(link);
    return choice !== undefined && choice.design !== (design ?? null);
  };
  const held = mayBeHeld(image, now).filter((one) => !isDecided(one, known, now) || isOther(one));
  return held.length === 0 ? undefined : new Date(Math.max(...held.map(({ itemRev }) => itemRev)) + MAX_HOLD_MS);
}
