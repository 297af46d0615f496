import { shownOffer } from "../../../domain/campaigns/offers.ts";
import type { PositionFacts } from "./explanation-facts.ts";

/** Returns which design draws a link, and why it was chosen (docs/rules.md#the-eleven-rules). */
export function designOf({ link, item, storeLink, studioLink, designerLink, design, canvasRev, trace }: PositionFacts) {
  const designId = designerLink?.eccModelId ?? designerLink?.design_id ?? null;
  const canvas = { canvasId: design?.canvasId ?? null, canvasRev: canvasRev ?? null };
  const { scenarioId } = studioLink ?? {};
  const scenario = trace?.scenarios.find(({ id }) => id === scenarioId)?.name ?? (scenarioId || null);
  const isOffered = designId !== null && item !== undefined && shownOffer(item)?.designId === designId;
  const isStoreLevel = storeLink?.status === "ACTIVE" && storeLink.designId === designId;
  const chosenBy =
    link?.forced_design_id !== undefined
      ? ("forced design" as const)
      : link?.origin === "ecc"
        ? ("ECC model" as const)
        : link?.origin === "designer"
          ? ("designer link" as const)
          : scenarioId !== undefined
            ? ("scenario" as const)
            : isOffered
              ? ("campaign" as const)
              : isStoreLevel
                ? ("store-level link" as const)
                : ("nothing" as const);
  return { chosenBy, designId, scenario: chosenBy === "scenario" ? scenario : null, ...canvas };
}
