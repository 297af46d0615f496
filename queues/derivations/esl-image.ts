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
import { labels } from "../../records/kinds/labels.ts";
import { eccEslImages, eslImages, renderedImages } from "../../records/kinds/pictures.ts";
import { labelTypes } from "../../records/kinds/tenants.ts";
import { linksByLabel } from "../../records/linking/links-of-labels.ts";
import type { Records } from "../../records/records.ts";
import type { EslImage } from "../../schemas/image.ts";
import type { PageSizeOrder } from "../../schemas/jobs.ts";
import { imageFileKey, labelTypeKey, storeOf, tenantOf } from "../../schemas/keys.ts";
import { type ItemPages, itemWithPages } from "../../schemas/page-image.ts";
import type { Stored } from "../../schemas/record.ts";
import { type Derivation, type Loaded, sourceOf } from "../changes/derive.ts";
import { imagesOfPages } from "../clean-up/pictures.ts";
import { composeLabels } from "./compose-labels.ts";
import { type LinkPicture, readPictures } from "./link-pictures.ts";

interface Dependencies {
  records: Records;
  imageFiles: ImageFiles;
  /** Orders drawings from the pages worker. Best effort: a lost order is repeated. */
  orderSizes(orders: readonly PageSizeOrder[]): Promise<void>;
}

type Pictures = ReadonlyMap<string, LinkPicture>;

/** Derives eslimage.v1 from the pictures of a label's links and the page images of the item that it shows. */
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

    /** For labels on which several positions draw: the file of any other picture is the renderer's, or an upload's. */
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

    async load(labelKeys) {
      const links = await linksByLabel(records, labelKeys);
      const pictures = await readPictures(records, [...links.values()].flat());
      const uploads = await readUploadedPages(records, links, pictures);
      return new Map(
        [...links].flatMap(([label, keys]): [string, Loaded<LabelImages>][] => {
          const group = keys.flatMap((key) => pictures.get(key) ?? []);
          const drawn = group.flatMap(({ picture }) => picture ?? []);
          if (drawn.length === 0 || drawn.length < group.length) return [];
          const sources = keys.flatMap(
            (key) => pictures.get(key)?.sources ?? [sourceOf(renderedImages, key, undefined)],
          );
          const upload = uploads.get(label);
          if (upload === undefined) return [[label, { facts: { drawn }, sources }]];
          const { record, pages, missing } = upload;
          const facts = { drawn, uploaded: { rev: record.rev, pages }, missing };
          return [[label, { facts, sources: [...sources, sourceOf(itemPages, record._id, record)] }]];
        }),
      );
    },

    async decide(cases) {
      const composed = await composeLabels(imageFiles, cases);
      return cases.map(({ key, facts }) => mergeImages(facts, composed.get(key)));
    },
  };
}

/**
 * The page images that labels show, by label: only for labels that show one item whose page images have a record. A
 * record that is created later publishes a change, which triggers this derivation for its labels.
 */
async function readUploadedPages(records: Records, links: ReadonlyMap<string, readonly string[]>, pictures: Pictures) {
  const items = new Map(
    [...links].flatMap(([label, keys]) => {
      const shown = keys.flatMap((key) => pictures.get(key)?.picture ?? []).filter(({ empty }) => !empty);
      const item = itemWithPages(shown.map(({ shows }) => shows.item));
      return item === undefined ? [] : [[label, item] as const];
    }),
  );
  const found = await records.read(itemPages, [...items.values()]);
  const concerned = [...items].filter(([, item]) => found.has(item)).map(([label]) => label);
  const labelRecords = await records.readFields(labels, concerned, ["type"]);
  const typeOf = (label: string) => labelTypeKey(tenantOf(label), labelRecords.get(label)?.type ?? 0);
  const types = await records.read(labelTypes, concerned.map(typeOf));
  return new Map(
    concerned.flatMap((label) => {
      const record = found.get(items.get(label) ?? "") as Stored<ItemPages>;
      const type = types.get(typeOf(label));
      if (type === undefined) return [];
      const ofItem = { store: storeOf(label), itemId: record.itemId };
      const missing = missingPages(record, type).map(({ page, size }): MissingSize => ({ ...ofItem, page, ...size }));
      return [[label, { record, pages: pagesFor(record, type), missing }] as const];
    }),
  );
}

const distinctSizes = (sizes: readonly MissingSize[]): MissingSize[] => [
  ...new Map(sizes.map((size) => [JSON.stringify(size), size])).values(),
];
