import { missingPages } from "../../domain/items/page-sources.ts";
import {
  type LabelImages,
  looksAlike,
  type MissingSize,
  mergeImages,
  pagesFor,
} from "../../domain/labels/merge-images.ts";
import type { ImageFiles } from "../../records/files/image-files.ts";
import { itemPages } from "../../records/kinds/items.ts";
import { eccEslImages, eslImages, renderedImages } from "../../records/kinds/pictures.ts";
import { labelTypes } from "../../records/kinds/tenants.ts";
import type { Records } from "../../records/records.ts";
import type { EslImage } from "../../schemas/image.ts";
import type { PageSizeOrder } from "../../schemas/jobs.ts";
import { imageFileKey, labelTypeKey, storeOf, tenantOf } from "../../schemas/keys.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import type { ItemPages } from "../../schemas/page-image.ts";
import type { Stored } from "../../schemas/record.ts";
import { type Derivation, type Loaded, sourceOf } from "../changes/derivation.ts";
import { imagesOfPages } from "../clean-up/pictures.ts";
import { composeLabels } from "./compose-labels.ts";
import { readPicturesOfLabels } from "./link-pictures.ts";

interface Dependencies {
  records: Records;
  imageFiles: ImageFiles;
  /** Orders drawings from the pages worker. Best effort: a lost order is repeated. */
  orderSizes(orders: readonly PageSizeOrder[]): Promise<void>;
}

/** Derives eslimage.v1 from the pictures of a label's links and the page images of the label's item. */
export function eslImageDerivation({
  records,
  imageFiles,
  orderSizes,
}: Dependencies): Derivation<LabelImages, EslImage> {
  return {
    kind: eslImages,
    from: [renderedImages, eccEslImages, itemPages],
    keepsInputs: true,
    isQuiet: looksAlike,

    missing: {
      isLacking: ({ missing = [] }) => missing.length > 0,
      order: (facts, urgency) =>
        orderSizes(distinctSizes(facts.flatMap(({ missing = [] }) => missing)).map((size) => ({ ...size, urgency }))),
    },

    /** Checks only labels that show several positions: any other picture's file comes from the renderer or an upload. */
    async findLost(found) {
      const several = found.filter(({ shows }) => shows.length > 1);
      const withPages = several.flatMap(({ shows: [first] }) => (first?.pagesRev === undefined ? [] : first.item));
      const pages = await records.readFields(itemPages, withPages, ["images"]);
      const uploaded = new Set([...pages.values()].flatMap(imagesOfPages));
      const fileOf = ({ _id, pages: [first] }: Stored<EslImage>) =>
        first?.page === 0 && !uploaded.has(first.image) ? [imageFileKey(tenantOf(_id), first.image)] : [];
      const missing = await imageFiles.findMissing(several.flatMap(fileOf));
      return several.filter((record) => fileOf(record).some((key) => missing.has(key))).map(({ _id }) => _id);
    },

    async load(labelKeys, read) {
      const { types, links, pictures, pages: uploads } = await readPicturesOfLabels(read, labelKeys);
      const typeOf = (label: string) => labelTypeKey(tenantOf(label), types.get(label) ?? 0);
      const [labelTypeRecords] = await read([{ kind: labelTypes, keys: [...uploads.keys()].map(typeOf) }]);
      return new Map(
        [...links].flatMap(([label, keys]): [string, Loaded<LabelImages>][] => {
          const group = keys.flatMap((key) => pictures.get(key) ?? []);
          const drawn = group.flatMap(({ picture }) => picture ?? []);
          if (drawn.length === 0 || drawn.length < group.length) return [];
          const sources = keys.flatMap(
            (key) => pictures.get(key)?.sources ?? [sourceOf(renderedImages, key, undefined)],
          );
          const upload = uploads.get(label);
          const type = labelTypeRecords.get(typeOf(label));
          // Page images that are uploaded later publish a change, which triggers this derivation for their labels.
          if (upload === undefined || type === undefined) return [[label, { facts: { drawn }, sources }]];
          const facts = { drawn, ...uploadedPages(label, upload, type) };
          return [[label, { facts, sources: [...sources, sourceOf(itemPages, upload._id, upload)] }]];
        }),
      );
    },

    async decide(cases) {
      const composed = await composeLabels(imageFiles, cases);
      return cases.map(({ key, facts }) => mergeImages(facts, composed.get(key)));
    },
  };
}

/** Returns the page images that a label shows, and the sizes that are not drawn yet. */
function uploadedPages(
  label: string,
  record: Stored<ItemPages>,
  type: LabelType,
): Pick<LabelImages, "uploaded" | "missing"> {
  const ofItem = { store: storeOf(label), itemId: record.itemId };
  const missing = missingPages(record, type).map(({ page, size }): MissingSize => ({ ...ofItem, page, ...size }));
  return { uploaded: { rev: record.rev, pages: pagesFor(record, type) }, missing };
}

const distinctSizes = (sizes: readonly MissingSize[]): MissingSize[] => [
  ...new Map(sizes.map((size) => [JSON.stringify(size), size])).values(),
];
