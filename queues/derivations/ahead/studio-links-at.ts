import { studioLinkDerivation } from "../studio-link.ts";

/**
 * Creates a function that returns the derivation that makes the rules' choice at a given time. The function keeps the last
 * derivation, with the packs that the derivation has read, since a switch is prepared repeatedly.
 */
export function createStudioLinksAt(world: Omit<Parameters<typeof studioLinkDerivation>[0], "now">) {
  let last: { at: number; derivation: ReturnType<typeof studioLinkDerivation> } | undefined;
  return (at: Date): ReturnType<typeof studioLinkDerivation> => {
    if (last?.at !== at.getTime())
      last = { at: at.getTime(), derivation: studioLinkDerivation({ ...world, now: () => at }) };
    return last.derivation;
  };
}
