import type { Derivation, Gathered } from "../../queues/derive.ts";
import { eslImages } from "../../records/kinds/esl-image.ts";
import { renderedImages } from "../../records/kinds/rendered-image.ts";
import { linksByLabel } from "../../records/links-of-labels.ts";
import type { Records } from "../../records/records.ts";
import type { EslImage, RenderedImage } from "../../schemas/image.ts";
import { looksAlike, mergeImages } from "./merge-images.ts";

/** eslimage.v1 from the pictures of a label's links. */
export function eslImageDerivation(records: Records): Derivation<readonly RenderedImage[], EslImage> {
  return {
    kind: eslImages,
    keepsInputs: true,
    isQuiet: looksAlike,

    async gather(labelKeys) {
      const links = await linksByLabel(records, labelKeys);
      const images = await records.read(renderedImages, [...links.values()].flat());
      return new Map(
        [...links].flatMap(([label, keys]): [string, Gathered<readonly RenderedImage[]>][] => {
          const facts = keys.flatMap((key) => images.get(key) ?? []);
          const sources = keys.map((key) => ({ kind: renderedImages, key, rev: images.get(key)?.rev ?? 0 }));
          return facts.length === 0 ? [] : [[label, { facts, sources }]];
        }),
      );
    },

    decide: async (cases) => cases.map(({ facts }) => mergeImages(facts)),
  };
}
