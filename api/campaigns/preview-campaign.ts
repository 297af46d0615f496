import { beginOffer, regularOf } from "../../domain/campaigns/offers.ts";
import { percentOf } from "../../domain/prices/price-change.ts";
import { priceNumber } from "../../domain/prices/price-number.ts";
import type { Drawing } from "../../drawing/thread/draw-within-limits.ts";
import { chooseDesigns } from "../../queues/derivations/ahead/choose-designs.ts";
import { createReadAhead } from "../../queues/derivations/ahead/read-ahead.ts";
import { loadFacts, type StudioFacts } from "../../queues/derivations/load-facts.ts";
import type { studioLinkDerivation } from "../../queues/derivations/studio-link.ts";
import { linksOfItems } from "../../queues/linking/item-links.ts";
import { items } from "../../records/kinds/items.ts";
import type { ReadTogether } from "../../records/read-together.ts";
import type { Campaign } from "../../schemas/campaign.ts";
import type { CampaignPreview, PreviewedItem, PreviewedLabel } from "../../schemas/campaign-answers.ts";
import { offerOf } from "../../schemas/campaign-row.ts";
import type { Item } from "../../schemas/item.ts";
import { idOf, itemKey, labelOfLink } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import { LAST_STAMP } from "../../schemas/stamp.ts";
import { drawAll, type ReplacementsWorld } from "../management/replacement/count-worse.ts";
import { type ResolvedItem, type ResolveWorld, resolveItems } from "./resolve-items.ts";

export interface PreviewCampaignWorld extends ResolveWorld {
  studioLinkRule: ReturnType<typeof studioLinkDerivation>;
  drawing: Drawing;
  files: Pick<ReplacementsWorld, "imageFiles" | "uploads">;
  databaseNow(): Date;
}

const MAX_ITEMS = 200;
const MAX_LABELS = 6;

type Shown = ResolvedItem & { item: Stored<Item> };

/** Previews a campaign: the prices in these stores and, with `hasLabels`, some labels of the first store before and after. */
export function createPreviewCampaign(world: PreviewCampaignWorld) {
  const { records, drawing, files } = world;

  /** Draws links with the items and designs that these reads return. */
  async function draw(read: ReadTogether, links: readonly string[]): Promise<Map<string, string>> {
    const loaded = [...(await loadFacts(read, links, drawing))];
    const facts = loaded.map(
      ([
        ,
        {
          facts: { shows: _, isAlone: __, hasEccLink: ___, ...drawn },
        },
      ]): StudioFacts => drawn,
    );
    const drawn = await drawAll({ drawing, ...files }, facts, []);
    return new Map(
      loaded.map(([key], index) => [key, Buffer.from(drawn[index]?.picture.png ?? []).toString("base64")]),
    );
  }

  async function drawLabels(
    campaign: Stored<Campaign>,
    store: string,
    shown: readonly Shown[],
  ): Promise<PreviewedLabel[]> {
    const chosen = shown.slice(0, MAX_LABELS);
    const keys = chosen.map(({ itemId }) => itemKey(store, itemId));
    const links = (await linksOfItems(records, keys)).slice(0, MAX_LABELS);
    if (links.length === 0) return [];
    const ahead = createReadAhead(records, world.databaseNow());
    ahead.put(items, new Map(chosen.map((one) => [one.item._id, inCampaign(campaign, one)])));
    await chooseDesigns(records, world.studioLinkRule, ahead, links);
    const [before, after] = [await draw(records.readTogether, links), await draw(ahead.read, links)];
    const facts = await loadFacts(records.readTogether, links, drawing);
    return links.flatMap((link): PreviewedLabel[] => {
      const itemId = facts.get(link)?.facts.designerLink.itemId;
      if (itemId === undefined) return [];
      const { label } = labelOfLink(link);
      const pictures = { before: before.get(link) || null, after: after.get(link) || null };
      return [{ storeId: storeIdOf(store), barcode: idOf(label), itemId, ...pictures }];
    });
  }

  return async (
    campaign: Stored<Campaign>,
    stores: readonly string[],
    hasLabels: boolean,
  ): Promise<CampaignPreview> => {
    const all: PreviewedItem[] = [];
    let labels: PreviewedLabel[] = [];
    for (const [index, store] of stores.entries()) {
      // Keeps whole items of only one store at a time.
      const inOrder = (await resolveItems(world, store, campaign))
        .map((resolved) => ({ resolved, shown: previewOf(store, resolved) }))
        .toSorted((one, other) => byJump(one.shown, other.shown));
      const drawn = inOrder.flatMap(({ resolved }) => (isShown(resolved) ? [resolved] : []));
      if (index === 0 && hasLabels) labels = await drawLabels(campaign, store, drawn);
      all.push(...inOrder.map(({ shown }) => shown));
    }
    return {
      count: all.length,
      leftOut: all.filter(({ leftOut }) => leftOut !== null).length,
      items: all.toSorted(byJump).slice(0, MAX_ITEMS),
      labels,
    };
  };
}

const isShown = (resolved: ResolvedItem): resolved is Shown =>
  resolved.item !== undefined && resolved.leftOut === undefined;

/** Returns an item as its labels show it during the campaign. */
function inCampaign({ _id, properties, designId }: Stored<Campaign>, { item, price }: Shown): Stored<Item> {
  const values = {
    ...(price !== undefined && { price }),
    ...(properties && { properties }),
    ...(designId && { designId }),
  };
  // Offers are removed first, because `beginOffer` ignores a campaign that is already running.
  const { offers: _, ...regular } = regularOf(item);
  return { ...item, ...beginOffer(regular, offerOf({ campaign: idOf(_id), ...values }, LAST_STAMP)) };
}

function previewOf(store: string, { itemId, item, price, leftOut }: ResolvedItem): PreviewedItem {
  const [was, is] = [priceNumber(item?.price ?? ""), priceNumber(price ?? "")];
  return {
    storeId: storeIdOf(store),
    itemId,
    itemName: item?.itemName ?? null,
    regularPrice: item?.price ?? null,
    price: price ?? null,
    percent: (was && is && percentOf(was, is)) ?? null,
    leftOut: leftOut ?? null,
  };
}

/** Ranks items that are left out first, and the others by the size of the change. */
const jumpOf = ({ leftOut, percent }: PreviewedItem): number =>
  leftOut === null ? Math.abs(percent ?? 0) : Number.MAX_VALUE;

const byJump = (one: PreviewedItem, other: PreviewedItem): number => jumpOf(other) - jumpOf(one);

const storeIdOf = (store: string): string => store.slice(store.lastIndexOf("/") + 1);
