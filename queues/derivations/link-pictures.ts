import { eccEslImages, renderedImages } from "../../records/kinds/pictures.ts";
import type { Records } from "../../records/records.ts";
import type { EccEslImage, RenderedImage } from "../../schemas/image.ts";
import type { Stored } from "../../schemas/record.ts";
import { type Source, sourceOf } from "../changes/derive.ts";

/** The picture of a link, from the renderer or from its ECC model, and the records it is read from. */
export interface LinkPicture {
  /** Undefined if the ECC model has not drawn the current state of the link; its label then keeps its picture. */
  picture: RenderedImage | undefined;
  sources: readonly Source[];
}

/** The pictures of links, by link; links that were never drawn are left out. */
export async function readPictures(records: Records, links: readonly string[]): Promise<Map<string, LinkPicture>> {
  const rendered = await records.read(renderedImages, links);
  const eccKeys = [...rendered.values()].filter(({ isEcc }) => isEcc).map(({ _id }) => _id);
  const eccImages = eccKeys.length > 0 ? await records.read(eccEslImages, eccKeys) : new Map();
  return new Map([...rendered].map(([link, image]) => [link, pictureOf(image, eccImages.get(link))]));
}

function pictureOf(rendered: Stored<RenderedImage>, eccImage: Stored<EccEslImage> | undefined): LinkPicture {
  const own = sourceOf(renderedImages, rendered._id, rendered);
  if (!rendered.isEcc) return { picture: rendered, sources: [own] };
  // The two renderers run in parallel: a picture of an earlier rev of the link must never be shown with a newer one.
  const isPresent = eccImage?.shows.linkRev === rendered.shows.linkRev;
  const model = sourceOf(eccEslImages, rendered._id, eccImage);
  return { picture: isPresent ? eccImage : undefined, sources: [own, model] };
}
