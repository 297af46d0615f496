import { LRUCache } from "lru-cache";
import { type Derivation, type Loaded, sourceOf } from "../../../queues/changes/derive.ts";
import type { Stored } from "../../../records/kind.ts";
import { communicationPacks } from "../../../records/kinds/communication-pack.ts";
import { designs } from "../../../records/kinds/design.ts";
import { items } from "../../../records/kinds/item.ts";
import { links } from "../../../records/kinds/link.ts";
import { storeLinks } from "../../../records/kinds/store-link.ts";
import { studioLinks } from "../../../records/kinds/studio-link.ts";
import { tenants } from "../../../records/kinds/tenant.ts";
import type { SchemeOf } from "../../../records/linking/barcode-schemes.ts";
import type { Records } from "../../../records/records.ts";
import type { CommunicationPack, Scenario, StudioLink } from "../../../schemas/design.ts";
import { exists } from "../../../schemas/item.ts";
import { itemKey, ownerOf, tenantOf } from "../../../schemas/keys.ts";
import { compilePack } from "./compile-pack.ts";
import { decide, type LinkFacts, packIdOf } from "./decide-studio-link.ts";
import { createFittingMark } from "./fitting-designs.ts";
import { type ChoiceCounts, type ChooseScenario, createPackEvaluator } from "./pack-evaluator.ts";

interface Dependencies {
  records: Records;
  schemeOf: SchemeOf;
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
  log,
  onEvaluationFault = () => {},
  choiceCounts,
  decideAll = async (cases) => cases.map(({ facts, current }) => decide(facts, current)),
}: Dependencies): Derivation<LinkFacts, StudioLink> {
  const evaluators = new LRUCache<string, ChooseScenario>({ max: MAX_PACKS });
  /** A pack's evaluator caches choices, so each rev of a pack gets its own. It compiles the pack for its first choice. */
  function evaluatorOf(pack: Stored<CommunicationPack>): ChooseScenario {
    const id = packIdOf(pack);
    const known = evaluators.get(id);
    if (known) return known;
    let made: ChooseScenario | undefined;
    const choose: ChooseScenario = (given) => {
      made ??= compileEvaluator(pack);
      return made(given);
    };
    evaluators.set(id, choose);
    return choose;
  }

  function compileEvaluator(pack: Stored<CommunicationPack>): ChooseScenario {
    const compiled = compilePack(pack, ({ id, name }, error) =>
      log.error(
        { pack: pack._id, scenario: id, name, error: error.message },
        "an expression of a stored pack does not compile",
      ),
    );
    const onChoiceFault = (scenario: Pick<Scenario, "id" | "name">, error: string) =>
      onEvaluationFault(pack._id, scenario, error);
    return createPackEvaluator(compiled, onChoiceFault, undefined, choiceCounts);
  }

  async function readPacks(keys: readonly string[]) {
    const tenantRecords = await records.read(tenants, keys.map(tenantOf));
    const packKeys = [...tenantRecords.values()].flatMap(({ communicationPack }) => communicationPack ?? []);
    const packs = await records.read(communicationPacks, packKeys);
    return new Map(
      [...tenantRecords].map(([tenant, { rev, communicationPack }]) => [
        tenant,
        { tenantRev: rev, pack: packs.get(communicationPack ?? "") },
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

    async load(keys) {
      const found = [...(await records.read(links, keys)).values()].filter(({ origin }) => origin === "studio");
      const itemOf = (link: (typeof found)[number]) => itemKey(ownerOf(link._id), link.itemId);
      const [readTypes, itemRecords, storeLevel, packs] = await Promise.all([
        readSchemes(keys),
        records.read(items, found.map(itemOf)),
        records.read(storeLinks, found.map(itemOf)),
        readPacks(keys),
      ]);
      const named = [...packs.values()].flatMap(({ pack }) => designsOf(pack?.scenarios ?? []));
      const forced = found.flatMap(({ forced_design_id }) => forced_design_id ?? []);
      const ofStores = [...storeLevel.values()].map(({ designId }) => designId);
      const designRecords = await records.read(designs, [...named, ...forced, ...ofStores]);
      const fittingMark = createFittingMark(designRecords);
      const namedBy = new Map([...packs].map(([tenant, { pack }]) => [tenant, designsOf(pack?.scenarios ?? [])]));
      return new Map(
        found.map((link): [string, Loaded<LinkFacts>] => {
          const item = itemRecords.get(itemOf(link));
          const storeLink = storeLevel.get(itemOf(link));
          const tenant = tenantOf(link._id);
          const { tenantRev = 0, pack } = packs.get(tenant) ?? {};
          const facts: LinkFacts = {
            link,
            item: item && exists(item) ? item : undefined,
            type: readTypes.get(tenant)?.(link.eslId) ?? 0,
            storeDesign: storeLink?.status === "ACTIVE" ? storeLink.designId : undefined,
            chooseScenario: pack && evaluatorOf(pack),
            ...(pack && { pack: { id: packIdOf(pack), scenarios: pack.scenarios } }),
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
          const others = [link.forced_design_id ?? [], facts.storeDesign ?? []].flat();
          const mark = fittingMark(tenant, namedBy.get(tenant) ?? [], others, facts.type);
          return [link._id, { facts, sources, mark }];
        }),
      );
    },

    decide: decideAll,
  };
}

/** Every design that a tree of scenarios names. */
const designsOf = (scenarios: readonly Scenario[]): string[] =>
  scenarios.flatMap(({ design_ids, children }) => [...design_ids, ...designsOf(children)]);
