import type { Derivation, Gathered } from "../../queues/derive.ts";
import type { Stored } from "../../records/kind.ts";
import { designerLinks } from "../../records/kinds/designer-link.ts";
import { links } from "../../records/kinds/link.ts";
import { studioLinks } from "../../records/kinds/studio-link.ts";
import type { Records } from "../../records/records.ts";
import type { DesignerLink, StudioLink } from "../../schemas/design.ts";
import type { Link } from "../../schemas/link.ts";

export interface ProjectionFacts {
  link: Stored<Link>;
  studioLink: StudioLink;
}

/**
 * designerlink.v1 of a studio link. It carries the link's item, facings and location, so that a relink, an
 * unlink and a changed facing reach the renderer although the design stays.
 */
export const projectDesignerLink = ({ link, studioLink }: ProjectionFacts): DesignerLink => ({
  derivedFrom: "studiolink.v1",
  linkRev: link.rev,
  status: link.status,
  design_id: studioLink.design_id,
  itemId: link.itemId,
  ...(link.facings !== undefined && { facings: link.facings }),
  ...(link.location !== undefined && { location: link.location }),
});

/** studiolink.v1 and link.v2 -> designerlink.v1. */
export function designerLinkDerivation(records: Records): Derivation<ProjectionFacts, DesignerLink> {
  return {
    kind: designerLinks,
    keepsInputs: true,

    async gather(keys) {
      const [linkRecords, studioRecords] = await Promise.all([
        records.read(links, keys),
        records.read(studioLinks, keys),
      ]);
      return new Map(
        keys.flatMap((key): [string, Gathered<ProjectionFacts>][] => {
          const link = linkRecords.get(key);
          const studioLink = studioRecords.get(key);
          if (link === undefined || studioLink === undefined) return [];
          const sources = [
            { kind: links, key, rev: link.rev },
            { kind: studioLinks, key, rev: studioLink.rev },
          ];
          return [[key, { facts: { link, studioLink }, sources }]];
        }),
      );
    },

    decide: async (cases) => cases.map(({ facts }) => projectDesignerLink(facts)),
  };
}
