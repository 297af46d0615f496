import { type Derivation, sourceOf } from "../../../queues/changes/derivation.ts";
import { itemPages, items } from "../../../records/kinds/items.ts";
import { eslImages, renderedImages } from "../../../records/kinds/pictures.ts";
import type { EslImage, RenderedImage } from "../../../schemas/image.ts";
import { itemKey, labelKey, linkKey } from "../../../schemas/keys.ts";

// An item's price on a label. In the label's picture, an uploaded page replaces the price.
const STORE = "t/demo/s/main";
export const ITEM = itemKey(STORE, "milk");
export const LINK = linkKey(STORE, "a-0");
export const LABEL = labelKey(STORE, "a");

const labelImage = (image: string): EslImage => ({ pages: [{ page: 0, image }], shows: [] });

/** The picture of the item's price and, unless the item has a page, also the label's picture. */
export const pictures: Derivation<{ price: string; isAlone: boolean; isKnown: boolean }, RenderedImage> = {
  kind: renderedImages,
  from: [items],
  keepsInputs: true,
  async load(keys, read, following = () => undefined) {
    const [found] = await read([{ kind: items, keys: [ITEM] }]);
    // As in the renderer: a label's picture that was made from the link's picture alone proves that the item had no page.
    const isKnown = following(LINK) !== undefined;
    const [pages] = await read([{ kind: itemPages, keys: isKnown ? [] : [ITEM], fields: [] }]);
    const facts = { price: found.get(ITEM)?.price ?? "", isAlone: pages.size === 0, isKnown };
    return new Map(keys.map((key) => [key, { facts, sources: [sourceOf(items, ITEM, found.get(ITEM))] }]));
  },
  decide: async (cases) =>
    cases.map(({ key, facts }) => ({
      shows: { link: key, linkRev: 1, item: ITEM, itemRev: 1 },
      image: facts.price,
      width: 296,
      height: 128,
      empty: false,
      warnings: [],
    })),
  next: {
    kind: eslImages,
    queue: "merger",
    keyOf: () => LABEL,
    decide: ({ isAlone }, { image }) => (isAlone ? labelImage(image) : undefined),
    absent: ({ isKnown }) => (isKnown ? [] : [{ kind: itemPages, key: ITEM }]),
    isQuiet: (current, next) =>
      JSON.stringify((current as EslImage).pages) === JSON.stringify((next as EslImage).pages),
  },
};

/** The label's picture: the uploaded page or, without one, the picture of the price. */
export const labelImages: Derivation<string, EslImage> = {
  kind: eslImages,
  from: [renderedImages, itemPages],
  keepsInputs: true,
  async load(keys, read) {
    const [drawn, pages] = await read([
      { kind: renderedImages, keys: [LINK] },
      { kind: itemPages, keys: [ITEM] },
    ]);
    const upload = pages.get(ITEM);
    // As in the merger: a label without a picture of its link, or whose ECC model has not drawn yet, stays unchanged.
    if (drawn.get(LINK)?.isEcc ?? !drawn.has(LINK)) return new Map();
    const facts = upload?.images[0]?.image ?? drawn.get(LINK)?.image ?? "";
    const sources = [sourceOf(renderedImages, LINK, drawn.get(LINK))];
    if (upload) sources.push(sourceOf(itemPages, ITEM, upload));
    return new Map(keys.map((key) => [key, { facts, sources }]));
  },
  decide: async (cases) => cases.map(({ facts }) => labelImage(facts)),
};
