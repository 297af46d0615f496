import type { Item, Offer, Offers, Property } from "../../schemas/item.ts";
import { type RowNotice, rowNotice } from "../../schemas/row-notice.ts";

/** Maximum number of campaigns that may run for an item at the same time, and of ended campaigns that the item remembers. */
export const MAX_OFFERS = 20;
/** Maximum JSON size of the offers that run for an item, in bytes. A single campaign's offer may be as large as the item. */
export const MAX_OFFER_BYTES = 2 ** 20;

const NONE: Offers = { running: [], regular: { properties: [] }, ended: [] };

/** Returns the offer that an item shows: the running offer that began last. Undefined if none runs. */
export const shownOffer = ({ offers }: Pick<Item, "offers">): Offer | undefined => offers?.running.at(-1);

/** Returns an item with the values that item rows have set, instead of the values of its campaigns. */
export function regularOf<Known extends Pick<Item, "price" | "properties" | "offers">>(item: Known): Known {
  const offer = shownOffer(item);
  if (item.offers === undefined || offer === undefined) return item;
  const { regular } = item.offers;
  const { price: shown, ...others } = item;
  const price = offer.price === undefined ? shown : regular.price;
  const known = new Map(regular.properties.map((property) => [property.key, property]));
  const covered = new Set(offer.properties.map(({ key }) => key));
  const properties = item.properties.flatMap((property) =>
    covered.has(property.key) ? (known.get(property.key) ?? []) : [property],
  );
  return { ...others, ...(price !== undefined && { price }), properties } as Known;
}

/** Returns an item with these regular values and these offers, as labels show it. */
function withOffers(regular: Item, { running, ended }: Pick<Offers, "running" | "ended">): Item {
  const { offers: _, ...item } = regular;
  const offer = running.at(-1);
  if (offer === undefined) return ended.length === 0 ? item : { ...item, offers: { ...NONE, ended } };
  const values = new Map(offer.properties.map(({ key, value }) => [key, value]));
  const covered = item.properties.filter(({ key }) => values.has(key));
  const known = new Set(covered.map(({ key }) => key));
  const added = offer.properties.filter(({ key }) => !known.has(key));
  const shown = ({ key, value, stamp }: Property): Property => ({ key, value: values.get(key) ?? value, stamp });
  return {
    ...item,
    ...(offer.price !== undefined && { price: offer.price }),
    properties: [...item.properties.map(shown), ...added.map(({ key, value }) => ({ key, value, stamp: offer.stamp }))],
    offers: {
      running,
      regular: {
        ...(offer.price !== undefined && item.price !== undefined && { price: item.price }),
        properties: covered,
      },
      ended,
    },
  };
}

/**
 * Changes an item's regular values under its offers. Labels continue to show the offers. Once the offers end, labels show the
 * changed values.
 */
export function changeRegular(current: Item, change: (regular: Item) => Item): Item {
  if (current.offers === undefined) return change(current);
  const { offers: _, ...regular } = regularOf(current);
  return withOffers(change(regular), current.offers);
}

/**
 * Returns the reason why this offer must not begin for an item: too many campaigns run for the item, or its offers would be too
 * large in total. Undefined if the offer may begin.
 */
export function refusalOf({ offers }: Pick<Item, "offers">, offer: Offer): RowNotice | undefined {
  const running = offers?.running ?? [];
  if (running.length >= MAX_OFFERS) return rowNotice("CAMPAIGNS_FULL", { most: MAX_OFFERS });
  const bytes = Buffer.byteLength(JSON.stringify([...running, offer]));
  return bytes > MAX_OFFER_BYTES ? rowNotice("CAMPAIGNS_TOO_LARGE", { bytes, most: MAX_OFFER_BYTES }) : undefined;
}

/**
 * Returns an item with a campaign's offer. Unchanged if the offer has already begun, or has ended since the row was accepted.
 * Undefined if it must not begin (`refusalOf`).
 */
export function beginOffer(item: Item, offer: Offer): Item | undefined {
  const { running, ended } = item.offers ?? NONE;
  if (offer.stamp < (item.floor ?? 0)) return item;
  if (running.some(({ campaign }) => campaign === offer.campaign)) return item;
  if (ended.some(({ campaign, stamp }) => campaign === offer.campaign && stamp > offer.stamp)) return item;
  if (refusalOf(item, offer)) return undefined;
  const all = [...running, offer].sort((one, other) => one.stamp - other.stamp);
  return withOffers(regularOf(item), { running: all, ended });
}

/**
 * Returns an item without a campaign's offer. The item remembers the end, so that no row of an earlier request begins the
 * offer again.
 */
export function endOffer(item: Item, campaign: string, stamp: number): Item {
  const { running, ended } = item.offers ?? NONE;
  const left = running.filter((offer) => offer.campaign !== campaign || offer.stamp > stamp);
  const isKnown = ended.some((end) => end.campaign === campaign);
  if (left.length === running.length && isKnown) return item;
  return withOffers(regularOf(item), {
    running: left,
    ended: [...ended.filter((end) => end.campaign !== campaign), { campaign, stamp }].slice(-MAX_OFFERS),
  });
}
