import { itemPages } from "../../records/kinds/items.ts";
import { labels } from "../../records/kinds/labels.ts";
import { eccEslImages, renderedImages } from "../../records/kinds/pictures.ts";
import { models } from "../../records/kinds/tenants.ts";
import { modelOfLabel, positionsOf, possibleLinks } from "../../records/linking/links-of-labels.ts";
import type { ReadTogether } from "../../records/read-together.ts";
import type { EccEslImage, RenderedImage } from "../../schemas/image.ts";
import { idOf, linkIdOf, linkKey, ownerOf } from "../../schemas/keys.ts";
import { type ItemPages, itemWithPages } from "../../schemas/page-image.ts";
import type { Stored } from "../../schemas/record.ts";
import { type Source, sourceOf } from "../changes/derivation.ts";

/** A link's picture, from the renderer or from its ECC model, and the records from which it is read. */
export interface LinkPicture {
  /** Undefined if the ECC model has not drawn the link's current state; the label then keeps its picture. */
  picture: RenderedImage | undefined;
  sources: readonly Source[];
}

/** The pictures of links, by link; links that were never drawn are left out. */
export type Pictures = ReadonlyMap<string, LinkPicture>;

/** The drawn and uploaded pictures that labels show. */
export interface PicturesOfLabels {
  /** The number of each label's type, by label. */
  types: ReadonlyMap<string, number>;
  /** The links that each label may have, by label. */
  links: ReadonlyMap<string, readonly string[]>;
  pictures: Pictures;
  /** The page images of each label's item, by label, for labels that show a single item with page images. */
  pages: ReadonlyMap<string, Stored<ItemPages>>;
}

/**
 * Reads the pictures of labels' links. Most labels have one position, whose picture is read together with the label. Other
 * positions, which depend on the label's model, require additional reads.
 */
export async function readPicturesOfLabels(
  read: ReadTogether,
  labelKeys: readonly string[],
): Promise<PicturesOfLabels> {
  const firstLinks = labelKeys.map((label) => linkKey(ownerOf(label), linkIdOf(idOf(label), 0)));
  const [labelRecords, ofFirst] = await read([
    { kind: labels, keys: labelKeys, fields: ["modelName", "type"] },
    { kind: renderedImages, keys: firstLinks },
  ]);
  const found = [...labelRecords.values()];
  const askedItems = new Set([...ofFirst.values()].flatMap((image) => shownItem([image]) ?? []));
  const [modelRecords, eccOfFirst, pagesOfFirst] = await read([
    { kind: models, keys: found.map(modelOfLabel) },
    { kind: eccEslImages, keys: drawnByModels(ofFirst) },
    { kind: itemPages, keys: [...askedItems] },
  ]);
  const positions = positionsOf(modelRecords);
  const links = new Map(found.map((label) => [label._id, possibleLinks(label, positions)]));
  const isFirst = new Set(firstLinks);
  const [ofOthers] = await read([
    { kind: renderedImages, keys: [...links.values()].flat().filter((link) => !isFirst.has(link)) },
  ]);
  const [eccOfOthers] = await read([{ kind: eccEslImages, keys: drawnByModels(ofOthers) }]);
  const ofModels = new Map([...eccOfFirst, ...eccOfOthers]);
  const pictures = new Map(
    [...ofFirst, ...ofOthers].map(([link, image]) => [link, pictureOf(image, ofModels.get(link))]),
  );
  const items = new Map(
    [...links].flatMap(([label, keys]) => {
      const item = shownItem(keys.flatMap((key) => pictures.get(key)?.picture ?? []));
      return item === undefined ? [] : [[label, item] as const];
    }),
  );
  const [pagesOfOthers] = await read([
    { kind: itemPages, keys: [...items.values()].filter((item) => !askedItems.has(item)) },
  ]);
  const pagesOf = new Map([...pagesOfFirst, ...pagesOfOthers]);
  return {
    types: new Map(found.map(({ _id, type }) => [_id, type])),
    links,
    pictures,
    pages: new Map(
      [...items].flatMap(([label, item]) => {
        const record = pagesOf.get(item);
        return record === undefined ? [] : [[label, record] as const];
      }),
    ),
  };
}

/** Returns the item that these pictures show; undefined if they show several. */
const shownItem = (pictures: readonly RenderedImage[]): string | undefined =>
  itemWithPages(pictures.filter(({ empty }) => !empty).map(({ shows }) => shows.item));

const drawnByModels = (images: ReadonlyMap<string, Stored<RenderedImage>>): string[] =>
  [...images.values()].filter(({ isEcc }) => isEcc).map(({ _id }) => _id);

function pictureOf(rendered: Stored<RenderedImage>, eccImage: Stored<EccEslImage> | undefined): LinkPicture {
  const own = sourceOf(renderedImages, rendered._id, rendered);
  if (!rendered.isEcc) return { picture: rendered, sources: [own] };
  // The two renderers run in parallel, so the pictures may belong to different revs of the link. Such pictures are never
  // combined.
  const isPresent = eccImage?.shows.linkRev === rendered.shows.linkRev;
  const model = sourceOf(eccEslImages, rendered._id, eccImage);
  return { picture: isPresent ? eccImage : undefined, sources: [own, model] };
}
