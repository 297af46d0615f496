import { studioLinkDerivation } from "../studio-link.ts";

/**
 * Returns the choices of the rules at a time. The derivation of the last time is kept, with the packs that it has read:
 * a switch is prepared again and again.
 */
export function createStudioLinksAt(world: Omit<Parameters<typeof studioLinkDerivation>[0], "now">) {
  let last: { at: number; derivation: ReturnType<typeof studioLinkDerivation> } | undefined;
  return (at: Date): ReturnType<typeof studioLinkDerivation> => {
    if (last?.at !== at.getTime())
      last = { at: at.getTime(), derivation: studioLinkDerivation({ ...world, now: () => at }) };
    return last.derivation;
  };
}
