import type { Choice } from "../../queues/publish/choices.ts";
import type { EslImage, Shown } from "../../schemas/image.ts";

/** So long after its item changed a picture waits for the choice of its design, and then it goes. */
export const MAX_HOLD_MS = 2_000;

/**
 * The parts of a picture drawn with a design chosen by the rules, for an item that has just changed; revs are times.
 */
export function mayBeHeld({ shows, chosen = [] }: Pick<EslImage, "shows" | "chosen">, now: Date): Shown[] {
  return shows.filter(({ link, itemRev }) => chosen.includes(link) && itemRev + MAX_HOLD_MS > now.getTime());
}

/** Whether the rules have chosen for the current state of an item, or for a later one. */
export const isDecided = ({ link, itemRev }: Shown, choices: ReadonlyMap<string, Choice>): boolean =>
  (choices.get(link)?.itemRev ?? 0) >= itemRev;

/**
 * Until when a picture is held back: the rules have not chosen for the current state of its item yet, or have chosen
 * another design whose picture is still being made (docs/rules.md#the-eleven-rules, rule 11). Undefined if it may be
 * sent.
 */
export function holdUntil(
  image: Pick<EslImage, "shows" | "chosen">,
  choices: ReadonlyMap<string, Choice>,
  now: Date,
): Date | undefined {
  const held = mayBeHeld(image, now).filter(
    (one) => !isDecided(one, choices) || choices.get(one.link)?.design !== (one.design ?? null),
  );
  return held.length === 0 ? undefined : new Date(Math.max(...held.map(({ itemRev }) => itemRev)) + MAX_HOLD_MS);
}
