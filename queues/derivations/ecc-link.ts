import { eccLinks, links } from "../../records/kinds/links.ts";
import type { EccLink } from "../../schemas/design.ts";
import type { Link } from "../../schemas/link.ts";
import type { Stored } from "../../schemas/record.ts";
import { type Derivation, type Loaded, sourceOf } from "../changes/derivation.ts";
import { projectionOf } from "./designer-link.ts";

/** Projects a link to ecclink.v1. If its origin is no longer ECC, its ECC link becomes DELETED and keeps its last content. */
export function projectEccLink(link: Stored<Link>, current: EccLink | undefined): EccLink | undefined {
  if (link.origin === "ecc" && link.ecclink) return { ...projectionOf(link), ...link.ecclink };
  return current && { ...current, linkRev: link.rev, status: "DELETED" };
}

/** Derives ecclink.v1 from link.v2. */
export function eccLinkDerivation(): Derivation<Stored<Link>, EccLink> {
  return {
    kind: eccLinks,
    from: [links],
    // A link of a different origin leaves its ended ECC link unchanged.
    keepsInputs: false,

    async load(keys, read) {
      const [linkRecords] = await read([{ kind: links, keys }]);
      const found = [...linkRecords.values()];
      const others = found.filter(({ origin }) => origin !== "ecc").map(({ _id }) => _id);
      const [former] = await read([{ kind: eccLinks, keys: others, fields: ["status"] }]);
      // A DELETED ECC link stays deleted as long as its link has a different origin.
      const isConcerned = ({ _id, origin }: Stored<Link>) =>
        origin === "ecc" || (former.get(_id)?.status ?? "DELETED") !== "DELETED";
      return new Map(
        found.filter(isConcerned).map((link): [string, Loaded<Stored<Link>>] => {
          return [link._id, { facts: link, sources: [sourceOf(links, link._id, link)] }];
        }),
      );
    },

    decide: async (cases) => cases.map(({ facts, current }) => projectEccLink(facts, current)),
  };
}
