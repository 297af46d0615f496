import { createDrawing, type Drawing } from "../../../drawing/thread/draw-within-limits.ts";
import type { Derivation } from "../../../queues/changes/derivation.ts";
import { eccEslImageDerivation } from "../../../queues/derivations/ecc-esl-image.ts";
import { renderedImageDerivation } from "../../../queues/derivations/rendered-image.ts";
import type { System } from "../../../queues/system.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { openUploads } from "../../../records/files/uploads.ts";
import { itemPages } from "../../../records/kinds/items.ts";
import { links } from "../../../records/kinds/links.ts";
import { linksByLabel } from "../../../records/linking/links-of-labels.ts";
import type { RenderedImage } from "../../../schemas/image.ts";
import { idOf, itemKey, ownerOf } from "../../../schemas/keys.ts";

/** A label to draw; with a price, its item is drawn with this price instead of its own. */
export interface DrawOrder {
  label: string;
  price?: string;
}

/** The correct picture of a label: the hash of its pixels, or the text of a segment label. */
export interface Drawn {
  content: string;
  /** Whether the picture is the background and shows no item. */
  isBare: boolean;
  /** The item, its rev, and its current price. */
  itemId: string;
  itemRev: number;
  price: string | undefined;
}

type Records = Pick<System, "records" | "db" | "now">;

/** The thread that draws for all files of this thread. */
let drawing: Drawing | undefined;

/**
 * Draws labels from their items, links and designs in their current state, with the designs that were chosen; stores nothing. A
 * label is undefined if it has no link, if several positions draw on it, or if its item has an uploaded image.
 */
export async function redraw(system: Records, orders: readonly DrawOrder[]): Promise<(Drawn | undefined)[]> {
  const { records } = system;
  const draw = drawerOf(system);
  const keysOf = await linksByLabel(
    records,
    orders.map(({ label }) => label),
  );
  const present = await records.read(links, [...keysOf.values()].flat());
  const itemOf = (key: string) => itemKey(ownerOf(key), present.get(key)?.itemId ?? "");
  const uploads = await records.read(itemPages, [...present.keys()].map(itemOf));
  const isUploaded = (key: string) => uploads.get(itemOf(key))?.images.some(({ page }) => page === 0) === true;

  return Promise.all(
    orders.map(async ({ label, price }) => {
      const keys = (keysOf.get(label) ?? []).filter((key) => present.has(key));
      const drawn = (await Promise.all(keys.map((key) => draw(key, price)))).flat();
      const shown = drawn.filter(({ empty, fault }) => !empty && fault === undefined);
      const first = shown[0] ?? drawn[0];
      if (first === undefined || shown.length > 1 || keys.some(isUploaded)) return undefined;
      return { content: first.text ?? first.image, isBare: shown.length === 0, ...itemOfShown(first.shows) };
    }),
  );
}

const itemOfShown = ({ item, itemRev, price }: RenderedImage["shows"]) => ({ itemId: idOf(item), itemRev, price });

/** Draws a link by its design or its ECC model, as the renderer does. */
function drawerOf({ records, db, now }: Records) {
  drawing ??= createDrawing();
  const imageFiles = { ...openImageFiles(db, now), put: async () => {} };
  const files = { imageFiles, uploads: openUploads(db, now), drawing };
  const studio = renderedImageDerivation(files);
  const ecc = eccEslImageDerivation(files);

  return async (key: string, price: string | undefined): Promise<RenderedImage[]> => {
    const drawn = await drawBy(studio, records, key, price);
    return drawn.some(({ isEcc }) => isEcc) ? drawBy(ecc, records, key, price) : drawn;
  };
}

async function drawBy<Facts extends { item: object | undefined }, Image extends RenderedImage>(
  { load, decide }: Derivation<Facts, Image>,
  { readTogether }: Records["records"],
  key: string,
  price: string | undefined,
): Promise<Image[]> {
  const facts = (await load([key], readTogether)).get(key)?.facts;
  if (facts === undefined) return [];
  const asked = facts.item && price !== undefined ? { ...facts, item: { ...facts.item, price } } : facts;
  return (await decide([{ key, facts: asked, current: undefined }])).flatMap((image) => image ?? []);
}
