import { LRUCache } from "lru-cache";
import { compilePack, type LoadedPack } from "../../domain/packs/compile-pack.ts";
import { decide, type LinkFacts } from "../../domain/packs/decide-studio-link.ts";
import { createFittingMark, datedMark, isLaterMark } from "../../domain/packs/fitting-designs.ts";
import { createPackAt, datedPack } from "../../domain/packs/pack-at.ts";
import { type ChoiceCounts, type ChooseScenario, createPackEvaluator } from "../../domain/packs/pack-evaluator.ts";
import { communicationPacks, designs } from "../../records/kinds/designs.ts";
import { items } from "../../records/kinds/items.ts";
import { links, storeLinks, studioLinks } from "../../records/kinds/links.ts";
import { tenants } from "../../records/kinds/tenants.ts";
import type { SchemeOf } from "../../records/linking/barcode-schemes.ts";
import type { Records } from "../../records/records.ts";
import type { CommunicationPack, Scenario, StudioLink } from "../../schemas/design.ts";
import { exists } from "../../schemas/item.ts";
import { itemKey, ownerOf, tenantOf } from "../../schemas/keys.ts";
import type { Envelope, Stored } from "../../schemas/record.ts";
import type { Tenant } from "../../schemas/tenant.ts";
import { type Derivation, type Loaded, sourceOf } from "../changes/derive.ts";
import { readZones } from "./zones.ts";

interface Dependencies {
  records: Records;
  schemeOf: SchemeOf;
  /** By the database's clock: all processes see the end of a validity period at the same time. */
  now(): Date;
  /** Has a line for each expression of a stored pack that does not compile. */
  log: { error(fields: object, message: string): void };
  /**
   * Called for each link for which an expression could not be evaluated, for instance because a text is not a number.
   */
  onEvaluationFault?(pack: string, scenario: Pick<Scenario, "id" | "name">, error: string): void;
  /** Counts lookups of cached choices. */
  choiceCounts?: ChoiceCounts;
  /** Decides for a process that must not stand still meanwhile; absent: here, and at once. */
  decideAll?: Derivation<LinkFacts, StudioLink>["decide"];
}

/** Packs that this process holds compiled, by key and rev, each with a cache of at most about 8 MB. */
const MAX_PACKS = 50;

/** Derives studiolink.v1 from link, item, the item's store-level link and the tenant's active communication pack. */
export function studioLinkDerivation({
  records,
  schemeOf,
  now,
  log,
  onEvaluationFault = () => {},
  choiceCounts,
  decideAll = async (cases) => cases.map(({ facts, current }) => decide(facts, current)),
}: Dependencies): Derivation<LinkFacts, StudioLink> {
  const evaluators = new LRUCache<string, ChooseScenario>({ max: MAX_PACKS });
  const knownPacks = new LRUCache<string, Stored<CommunicationPack>>({ max: MAX_PACKS });
  const packAt = createPackAt();
  /** A pack's evaluator caches choices, so each of its states gets its own. It compiles the pack for its first choice. */
  function evaluatorOf(packKey: string, pack: LoadedPack): ChooseScenario {
    const known = evaluators.get(pack.id);
    if (known) return known;
    let made: ChooseScenario | undefined;
    const choose: ChooseScenario = (given) => {
      made ??= compileEvaluator(packKey, pack);
      return made(given);
    };
    evaluators.set(pack.id, choose);
    return choose;
  }

  function compileEvaluator(packKey: string, pack: LoadedPack): ChooseScenario {
    const compiled = compilePack(pack, ({ id, name }, error) =>
      log.error(
        { pack: packKey, scenario: id, name, error: error.message },
        "an expression of a stored pack does not compile",
      ),
    );
    const onChoiceFault = (scenario: Pick<Scenario, "id" | "name">, error: string) =>
      onEvaluationFault(packKey, scenario, error);
    return createPackEvaluator(compiled, onChoiceFault, undefined, choiceCounts);
  }

  /** The active packs of these tenants. They are large, so one that is known at its rev is not read again. */
  async function readPacks(tenantRecords: ReadonlyMap<string, Stored<Tenant>>, revs: ReadonlyMap<string, Envelope>) {
    const keys = [...tenantRecords.values()].flatMap(({ communicationPack }) => communicationPack ?? []);
    const isKnown = (key: string) => knownPacks.get(key)?.rev === revs.get(key)?.rev;
    const read = await records.read(
      communicationPacks,
      keys.filter((key) => !isKnown(key)),
    );
    for (const [key, pack] of read) knownPacks.set(key, pack);
    const packOf = (key: string | undefined) =>
      key === undefined ? undefined : (read.get(key) ?? (isKnown(key) ? knownPacks.get(key) : undefined));
    return new Map(
      [...tenantRecords].map(([tenant, { rev, communicationPack }]) => [
        tenant,
        { tenantRev: rev, pack: packOf(communicationPack) },
      ]),
    );
  }

  const readSchemes = async (keys: readonly string[]) =>
    new Map(
      await Promise.all(
        [...new Set(keys.map(tenantOf))].map(async (tenant) => [tenant, await schemeOf(tenant)] as const),
      ),
    );

  return {
    kind: studioLinks,
    from: [links, items, storeLinks, tenants, communicationPacks],
    keepsInputs: false,

    async load(keys, read) {
      const [linkRecords, tenantRecords] = await read([
        { kind: links, keys },
        { kind: tenants, keys: keys.map(tenantOf) },
      ]);
      const found = [...linkRecords.values()].filter(({ origin }) => origin === "studio");
      const itemOf = (link: (typeof found)[number]) => itemKey(ownerOf(link._id), link.itemId);
      const active = [...tenantRecords.values()].flatMap(({ communicationPack }) => communicationPack ?? []);
      const expected = active.flatMap((key) => designsOf(knownPacks.get(key)?.scenarios ?? []));
      const forced = found.flatMap(({ forced_design_id }) => forced_design_id ?? []);
      const asked = [...expected, ...forced];
      const [readTypes, [packRevs, itemRecords, storeLevel, ofExpected]] = await Promise.all([
        readSchemes(keys),
        read([
          { kind: communicationPacks, keys: active, fields: [] },
          { kind: items, keys: found.map(itemOf) },
          { kind: storeLinks, keys: found.map(itemOf) },
          { kind: designs, keys: asked },
        ]),
      ]);
      const packs = await readPacks(tenantRecords, packRevs);
      const named = [...packs.values()].flatMap(({ pack }) => designsOf(pack?.scenarios ?? []));
      const ofStores = [...storeLevel.values()].map(({ designId }) => designId);
      const isAsked = new Set(asked);
      const others = await records.read(
        designs,
        [...named, ...ofStores].filter((key) => !isAsked.has(key)),
      );
      const designRecords = new Map([...ofExpected, ...others]);
      const fittingMark = createFittingMark(designRecords);
      const dated = found
        .map(({ _id }) => ownerOf(_id))
        .filter((store) => packs.get(tenantOf(store))?.pack?.periodEnds);
      const zoneOf = await readZones(records, dated);
      const present = now();
      const namedBy = new Map([...packs].map(([tenant, { pack }]) => [tenant, designsOf(pack?.scenarios ?? [])]));
      return new Map(
        found.map((link): [string, Loaded<LinkFacts>] => {
          const item = itemRecords.get(itemOf(link));
          const storeLink = storeLevel.get(itemOf(link));
          const tenant = tenantOf(link._id);
          const { tenantRev = 0, pack } = packs.get(tenant) ?? {};
          const zone = zoneOf(ownerOf(link._id));
          const standing = pack && packAt(datedPack(pack), zone, present);
          const facts: LinkFacts = {
            link,
            item: item && exists(item) ? item : undefined,
            type: readTypes.get(tenant)?.(link.eslId) ?? 0,
            storeDesign: storeLink?.status === "ACTIVE" ? storeLink.designId : undefined,
            chooseScenario: pack && standing && evaluatorOf(pack._id, standing),
            ...(standing && { pack: standing }),
            designs: designRecords,
          };
          const sources = [
            sourceOf(links, link._id, link),
            sourceOf(items, itemOf(link), item),
            sourceOf(storeLinks, itemOf(link), storeLink),
            // The tenant's record names the active pack.
            { kind: tenants, key: tenant, rev: tenantRev },
            ...(pack ? [sourceOf(communicationPacks, pack._id, pack)] : []),
          ];
          const ofLink = [link.forced_design_id ?? [], facts.storeDesign ?? []].flat();
          const mark = fittingMark(tenant, namedBy.get(tenant) ?? [], ofLink, facts.type);
          return [link._id, { facts, sources, mark: standing?.since ? datedMark(mark, standing.since, zone) : mark }];
        }),
      );
    },

    decide: decideAll,
    isNewer: isLaterMark,
  };
}

/** Every design that a tree of scenarios names. */
const designsOf = (scenarios: readonly Scenario[]): string[] =>
  scenarios.flatMap(({ design_ids, children }) => [...design_ids, ...designsOf(children)]);
