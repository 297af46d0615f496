import { type Derivation, type Loaded, sourceOf } from "../../queues/changes/derive.ts";
import type { ImageFiles } from "../../records/files/image-files.ts";
import type { Stored } from "../../records/kind.ts";
import { eccEslImages } from "../../records/kinds/ecc-esl-image.ts";
import { eslImages } from "../../records/kinds/esl-image.ts";
import { itemPages } from "../../records/kinds/item-pages.ts";
import { labels } from "../../records/kinds/label.ts";
import { labelTypes } from "../../records/kinds/label-type.ts";
import { renderedImages } from "../../records/kinds/rendered-image.ts";
import { linksByLabel } from "../../records/linking/links-of-labels.ts";
import type { Records } from "../../records/records.ts";
import type { EslImage } from "../../schemas/image.ts";
import { imageFileKey, labelTypeKey, tenantOf } from "../../schemas/keys.ts";
import type { ItemPages } from "../../schemas/page-image.ts";
import { composeLabels } from "./compose-labels.ts";
import { type LinkPicture, readPictures } from "./link-pictures.ts";
import { type LabelImages, looksAlike, mergeImages, pagesFor } from "./merge-images.ts";

interface Dependencies {
  records: Records;
  imageFiles: ImageFiles;
}

type Pictures = ReadonlyMap<string, LinkPicture>;

/** Derives eslimage.v1 from the pictures of a label's links and the page images of the item that it shows. */
export function eslImageDerivation({ records, imageFiles }: Dependencies): Derivation<LabelImages, EslImage> {
  return {
    kind: eslImages,
    from: [renderedImages, eccEslImages, itemPages],
    keepsInputs: true,
    isQuiet: looksAlike,

    /** Of labels on which several positions draw: the file of any other is the renderer's. */
    async findLost(records) {
      const fileOf = ({ _id, shows, pages: [first] }: Stored<EslImage>) =>
        shows.length > 1 && first?.page === 0 ? [imageFileKey(tenantOf(_id), first.image)] : [];
      const missing = await imageFiles.findMissing(records.flatMap(fileOf));
      return records.filter((record) => fileOf(record).some((key) => missing.has(key))).map(({ _id }) => _id);
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
          const { record, pages } = upload;
          const facts = { drawn, uploaded: { rev: record.rev, pages } };
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
 * The page images that labels show, by label: only of labels that show one item whose page images have a record. A
 * record that is created later publishes a change, which brings its labels here.
 */
async function readUploadedPages(records: Records, links: ReadonlyMap<string, readonly string[]>, pictures: Pictures) {
  const items = new Map(
    [...links].flatMap(([label, keys]) => {
      const picture = keys.length === 1 ? pictures.get(keys[0] ?? "")?.picture : undefined;
      return picture && !picture.empty ? [[label, picture.shows.item] as const] : [];
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
      return type ? [[label, { record, pages: pagesFor(record, type) }] as const] : [];
    }),
  );
}
