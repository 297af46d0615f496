import { designerLinks, links, studioLinks } from "../../../records/kinds/links.ts";
import type { Records } from "../../../records/records.ts";
import type { DesignerLink, StudioLink } from "../../../schemas/design.ts";
import type { Stored } from "../../../schemas/record.ts";
import { projectDesignerLink } from "../designer-link.ts";
import type { studioLinkDerivation } from "../studio-link.ts";
import type { ReadAhead } from "./read-ahead.ts";

/** Lets the rules choose from the values that `ahead` reads, and adds the links, with their chosen designs, to `ahead`. */
export async function chooseDesigns(
  records: Pick<Records, "readTogether">,
  derivation: ReturnType<typeof studioLinkDerivation>,
  ahead: ReadAhead,
  linkKeys: readonly string[],
): Promise<void> {
  const [current, linkRecords, projected] = await records.readTogether([
    { kind: studioLinks, keys: linkKeys },
    { kind: links, keys: linkKeys },
    { kind: designerLinks, keys: linkKeys },
  ]);
  const loaded = await derivation.load(linkKeys, ahead.read);
  const cases = [...loaded].map(([key, { facts }]) => ({ key, facts, current: current.get(key) }));
  const chosen = await derivation.decide(cases);
  const changed = cases.flatMap(({ key }, index): [string, Stored<DesignerLink>][] => {
    const [link, before, studioLink] = [linkRecords.get(key), projected.get(key), chosen[index]];
    return link && before && studioLink ? [[key, projectedWith(link, before, studioLink)]] : [];
  });
  ahead.put(designerLinks, new Map(changed));
}

const projectedWith = (
  link: Parameters<typeof projectDesignerLink>[0]["link"],
  { _id, store, rev, writeId, changedAt }: Stored<DesignerLink>,
  studioLink: StudioLink,
): Stored<DesignerLink> => ({
  ...{ _id, store, rev, writeId, changedAt },
  ...projectDesignerLink({ link, studioLink }),
});
