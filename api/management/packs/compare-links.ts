import type { ComparedLink } from "../../../domain/packs/compare-packs.ts";
import type { LinkFacts } from "../../../domain/packs/decide-design.ts";
import type { createPackAt, DatedPack } from "../../../domain/packs/pack-at.ts";
import type { Expressions } from "../../../drawing/expressions/expressions.ts";
import type { studioLinkDerivation } from "../../../queues/derivations/studio-link.ts";
import { readZones } from "../../../queues/derivations/zones.ts";
import { studioLinks } from "../../../records/kinds/links.ts";
import type { Records } from "../../../records/records.ts";
import type { Design } from "../../../schemas/design.ts";
import { idOf, labelOfLink, ownerOf, storeIds } from "../../../schemas/keys.ts";
import type { ExampleLabel } from "../../../schemas/trial.ts";

export interface CompareLinksWorld {
  records: Records;
  studioLinkRule: ReturnType<typeof studioLinkDerivation>;
  expressions: Pick<Expressions, "decide">;
  databaseNow(): Date;
}

/** The proposed pack and designs. */
export interface Proposal {
  pack: DatedPack;
  designs: ReadonlyMap<string, Design>;
}

/** Returns the proposed and the current design of each link whose design the rules choose. */
export async function compareLinks(
  { records, studioLinkRule, expressions, databaseNow }: CompareLinksWorld,
  packAt: ReturnType<typeof createPackAt>,
  { pack, designs }: Proposal,
  keys: readonly string[],
): Promise<(ComparedLink & { key: string })[]> {
  const [loaded, present, zoneOf] = await Promise.all([
    studioLinkRule.load(keys, records.readTogether),
    records.read(studioLinks, keys),
    readZones(records, pack.periodEnds ? keys.map(ownerOf) : []),
  ]);
  const at = databaseNow();
  // Evaluation errors are not reported here; a trial shows them.
  const proposed = [...loaded].map(([key, { facts }]) => {
    const standing = packAt(pack, zoneOf(ownerOf(key)), at);
    return { key, facts: { ...facts, pack: standing, designs }, current: undefined };
  });
  const decided = await expressions.decide(proposed);
  return proposed.map(({ key, facts }, index) => ({
    key,
    label: labelOfLink(key).label,
    example: exampleOf(key, facts),
    next: decided[index],
    present: present.get(key),
  }));
}

/** Names a link's label and item as an example. */
function exampleOf(key: string, { item, type }: Pick<LinkFacts, "item" | "type">): ExampleLabel {
  const { label } = labelOfLink(key);
  const { storeId } = storeIds(ownerOf(label));
  return { storeId, barcode: idOf(label), itemId: item?.itemId ?? "", labelType: type };
}
