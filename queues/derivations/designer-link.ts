import { sinceOf } from "../../domain/packs/fitting-mark.ts";
import { partsOfInput } from "../../records/kind.ts";
import { communicationPacks } from "../../records/kinds/designs.ts";
import { designerLinks, links, studioLinks } from "../../records/kinds/links.ts";
import type { DesignerLink, EccLink, StudioLink } from "../../schemas/design.ts";
import { idOf } from "../../schemas/keys.ts";
import type { Link } from "../../schemas/link.ts";
import type { Input, Stored } from "../../schemas/record.ts";
import { type Derivation, type Loaded, sourceOf } from "../changes/derivation.ts";

export interface ProjectionFacts {
  link: Stored<Link>;
  /** Set for a studio link: the design that the rules chose. */
  studioLink?: StudioLink & Pick<Partial<Stored<StudioLink>>, "inputs">;
}

/**
 * Projects a link to designerlink.v1, which the renderer draws. It contains the link's item, facings and location, so that
 * relinks, unlinks and changed facings reach the renderer even if the design is unchanged. A forced design applies to links of
 * every origin (docs/rules.md#the-eleven-rules, rule 2). Otherwise, a designer link has its own design, and a studio link the
 * design that the rules chose. For links of every origin, the renderer decides whether a design may be drawn.
 */
export function projectDesignerLink({ link, studioLink }: ProjectionFacts): DesignerLink {
  const { origin, forced_design_id: forced } = link;
  const shared = projectionOf(link);
  if (origin === "studio") {
    if (forced !== undefined || studioLink === undefined)
      return { ...shared, derivedFrom: "studiolink.v1", design_id: forced ?? null };
    const { design_id, fault, inputs } = studioLink;
    const unmatched = fault === undefined && design_id === null && whyUnmatched(studioLink);
    return {
      ...{ ...shared, derivedFrom: "studiolink.v1", design_id },
      ...(fault && { fault }),
      ...(unmatched && { unmatched }),
      ...(inputs && { choiceRev: newestOf(inputs) }),
      ...chosenBy(studioLink),
    };
  }
  if (origin === "designer") {
    const own = { ...link.designerlink, design_id: forced ?? link.designId ?? null };
    return { ...shared, ...own, ...(link.status !== "DELETED" && { isDesigners: true }) };
  }
  if (forced !== undefined) return { ...shared, design_id: forced };
  return { ...shared, design_id: null, eccModelId: link.ecclink?.eccModelId ?? "" };
}

const isPack = (input: Input): boolean => partsOfInput(input)?.kind === communicationPacks.name;

const whyUnmatched = ({ scenarioId, inputs = [] }: NonNullable<ProjectionFacts["studioLink"]>) =>
  scenarioId === undefined && (inputs.some(isPack) ? "no scenario" : "no pack");

/** Returns the scenario that chose a design, and the pack with its rev, since a pack's rules may change. */
function chosenBy({ design_id, scenarioId, inputs = [] }: NonNullable<ProjectionFacts["studioLink"]>) {
  const { key: pack, rev: packRev } = inputs.filter(isPack).flatMap((input) => partsOfInput(input) ?? [])[0] ?? {};
  if (design_id === null || scenarioId === undefined || pack === undefined || packRev === undefined) return {};
  return { chosenBy: { pack: idOf(pack), packRev, scenario: scenarioId } };
}

/** Returns the newest rev among a choice's inputs, including the end of a validity period that has passed. */
const newestOf = (inputs: readonly Input[]): number =>
  Math.max(0, ...inputs.map((input) => partsOfInput(input)?.rev ?? sinceOf(input)));

/** The fields of a link that every projection carries. */
export const projectionOf = (
  link: Stored<Link>,
): Pick<EccLink, "linkRev" | "status" | "itemId"> & Partial<EccLink> => ({
  linkRev: link.rev,
  status: link.status,
  itemId: link.itemId,
  ...(link.facings !== undefined && { facings: link.facings }),
  ...(link.location !== undefined && { location: link.location }),
});

/** Derives designerlink.v1 from link.v2 and, for studio links, studiolink.v1. */
export function designerLinkDerivation(): Derivation<ProjectionFacts, DesignerLink> {
  return {
    kind: designerLinks,
    from: [links, studioLinks],
    keepsInputs: true,

    async load(keys, read) {
      const [linkRecords, studioRecords] = await read([
        { kind: links, keys },
        { kind: studioLinks, keys },
      ]);
      return new Map(
        keys.flatMap((key): [string, Loaded<ProjectionFacts>][] => {
          const link = linkRecords.get(key);
          if (link === undefined) return [];
          const source = sourceOf(links, key, link);
          if (link.origin !== "studio") return [[key, { facts: { link }, sources: [source] }]];
          const studioLink = studioRecords.get(key);
          // An ACTIVE link waits for its design. Any other link shows nothing, and the evaluator never chooses its design.
          if (studioLink === undefined && link.status === "ACTIVE") return [];
          const sources = [source, sourceOf(studioLinks, key, studioLink)];
          return [[key, { facts: { link, ...(studioLink && { studioLink }) }, sources }]];
        }),
      );
    },

    decide: async (cases) => cases.map(({ facts }) => projectDesignerLink(facts)),
  };
}
