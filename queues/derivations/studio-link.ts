import { shownOffer } from "../../domain/campaigns/offers.ts";
import { decide, type LinkFacts } from "../../domain/packs/decide-design.ts";
import { createFittingMark, datedMark, isLaterMark } from "../../domain/packs/fitting-mark.ts";
import { createPackAt, datedPack } from "../../domain/packs/pack-at.ts";
import { communicationPacks, designs } from "../../records/kinds/designs.ts";
import { items } from "../../records/kinds/items.ts";
import { links, storeLinks, studioLinks } from "../../records/kinds/links.ts";
import { stores, tenants } from "../../records/kinds/tenants.ts";
import type { SchemeOf } from "../../records/linking/barcode-schemes.ts";
import { readLabelTypes } from "../../records/linking/read-label-types.ts";
import type { ReadTogether } from "../../records/read-together.ts";
import type { Records } from "../../records/records.ts";
import type { StudioLink } from "../../schemas/design.ts";
import { exists } from "../../schemas/item.ts";
import { itemNamedBy, labelKey, ownerOf, tenantOf } from "../../schemas/keys.ts";
import { type Derivation, type Loaded, sourceOf, valuesOf } from "../changes/derivation.ts";
import { createKnownPacks, type KnownPacks, namedDesigns } from "./packs/known-packs.ts";
import { createPackEvaluators, type PackEvaluatorOptions } from "./packs/pack-evaluators.ts";
import { readZones } from "./zones.ts";

interface Dependencies extends PackEvaluatorOptions {
  records: Records;
  schemeOf: SchemeOf;
  /** By the database's clock, so that a validity period ends at the same time in all processes. */
  now(): Date;
  /** Decides in the background, for a process that must not be blocked; if absent, the decision is made here, synchronously. */
  decideAll?: Derivation<LinkFacts, StudioLink>["decide"];
}

/**
 * Derives studiolink.v1 from link, item, the item's store-level link and the communication pack: the tenant's active pack, or
 * the pack of the store's canary.
 */
export function studioLinkDerivation({
  records,
  schemeOf,
  now,
  decideAll = async (cases) => cases.map(({ facts, current }) => decide(facts, current)),
  ...options
}: Dependencies): Derivation<LinkFacts, StudioLink> {
  const evaluatorOf = createPackEvaluators(options);
  const knownPacks = createKnownPacks(records);
  const packAt = createPackAt();

  return {
    kind: studioLinks,
    from: [links, items, storeLinks, tenants, stores, communicationPacks],
    keepsInputs: false,

    async load(keys, read) {
      const found = await readSources({ records, knownPacks, schemeOf }, read, keys);
      const fittingMark = createFittingMark(found.designs);
      const present = now();
      return new Map(
        found.links.map((link): [string, Loaded<LinkFacts>] => {
          const { item, storeLink, type, tenant, tenantRev, store, pack, zone } = found.of(link);
          const standing = pack && packAt(datedPack(pack), zone, present);
          const facts: LinkFacts = {
            link,
            item: item && exists(item) ? item : undefined,
            type,
            storeDesign: storeLink?.status === "ACTIVE" ? storeLink.designId : undefined,
            chooseScenario: pack && standing && evaluatorOf(pack._id, standing),
            ...(standing && { pack: standing }),
            designs: found.designs,
          };
          const offered = facts.item && shownOffer(facts.item)?.designId;
          const others = [link.forced_design_id ?? [], offered ?? [], facts.storeDesign ?? []].flat();
          const mark = fittingMark(pack?._id ?? tenant, found.namedBy.get(pack?._id ?? "") ?? [], others, type);
          const sources = [
            sourceOf(links, link._id, link),
            sourceOf(items, itemNamedBy(link), item),
            sourceOf(storeLinks, itemNamedBy(link), storeLink),
            // The tenant's record names the active pack.
            { kind: tenants, key: tenant, rev: tenantRev },
            valuesOf(stores, ownerOf(link._id), store, ["communicationPack"]),
            ...(pack ? [sourceOf(communicationPacks, pack._id, pack)] : []),
          ];
          return [link._id, { facts, sources, mark: standing?.since ? datedMark(mark, standing.since, zone) : mark }];
        }),
      );
    },

    decide: decideAll,
    isNewer: isLaterMark,
  };
}

/** Reads the sources of the studio links among these links. */
async function readSources(
  { records, knownPacks, schemeOf }: Pick<Dependencies, "records" | "schemeOf"> & { knownPacks: KnownPacks },
  read: ReadTogether,
  keys: readonly string[],
) {
  const [linkRecords, tenantRecords, storeRecords] = await read([
    { kind: links, keys },
    { kind: tenants, keys: keys.map(tenantOf) },
    { kind: stores, keys: keys.map(ownerOf), fields: ["communicationPack"] },
  ]);
  const found = [...linkRecords.values()].filter(({ origin }) => origin === "studio");
  const active = [...tenantRecords.values(), ...storeRecords.values()].flatMap(
    ({ communicationPack }) => communicationPack ?? [],
  );
  const forced = found.flatMap(({ forced_design_id }) => forced_design_id ?? []);
  const expected = new Set([...knownPacks.designsOf(active), ...forced]);
  const [types, [packRevs, itemRecords, storeLevel, ofExpected]] = await Promise.all([
    readLabelTypes(records, schemeOf, found.map(keyOfLabel)),
    read([
      { kind: communicationPacks, keys: active, fields: [] },
      { kind: items, keys: found.map(itemNamedBy) },
      { kind: storeLinks, keys: found.map(itemNamedBy) },
      { kind: designs, keys: [...expected] },
    ]),
  ]);
  const activePacks = await knownPacks.read(packRevs);
  /** Returns the pack of the store's canary, or else the tenant's active pack. */
  const packOf = (store: string) =>
    activePacks.get(storeRecords.get(store)?.communicationPack ?? "") ??
    activePacks.get(tenantRecords.get(tenantOf(store))?.communicationPack ?? "");
  const namedBy = new Map([...activePacks].map(([key, { scenarios }]) => [key, namedDesigns(scenarios)]));
  const ofStores = [...storeLevel.values()].map(({ designId }) => designId);
  const ofCampaigns = [...itemRecords.values()].flatMap((item) => shownOffer(item)?.designId ?? []);
  const others = [...[...namedBy.values()].flat(), ...ofStores, ...ofCampaigns].filter((key) => !expected.has(key));
  const designRecords = new Map([...ofExpected, ...(await records.read(designs, others))]);
  const dated = found.map(({ _id }) => ownerOf(_id)).filter((store) => packOf(store)?.periodEnds);
  const zoneOf = await readZones(records, dated);
  return {
    links: found,
    designs: designRecords,
    /** The designs that each pack names. */
    namedBy,
    of(link: (typeof found)[number]) {
      const [tenant, store] = [tenantOf(link._id), ownerOf(link._id)];
      return {
        item: itemRecords.get(itemNamedBy(link)),
        storeLink: storeLevel.get(itemNamedBy(link)),
        type: types.get(keyOfLabel(link)) ?? 0,
        tenant,
        tenantRev: tenantRecords.get(tenant)?.rev ?? 0,
        store: storeRecords.get(store),
        pack: packOf(store),
        zone: zoneOf(store),
      };
    },
  };
}

const keyOfLabel = ({ _id, eslId }: { _id: string; eslId: string }): string => labelKey(ownerOf(_id), eslId);
