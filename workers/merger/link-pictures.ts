import type { Source } from "../../queues/changes/derive.ts";
import type { Stored } from "../../records/kind.ts";
import { eccEslImages } from "../../records/kinds/ecc-esl-image.ts";
import { renderedImages } from "../../records/kinds/rendered-image.ts";
import type { Records } from "../../records/records.ts";
import type { EccEslImage, RenderedImage } from "../../schemas/image.ts";

/** The picture of a link, by whoever draws it, and the records that say so. */
export interface LinkPicture {
  /** Undefined where its ECC model has not drawn the link as it is now: until then nothing new is known of its label. */
  picture: RenderedImage | undefined;
  sources: readonly Source[];
}

/** The pictures of links, by link; of a link that was never drawn there is none. */
export async function readPictures(records: Records, links: readonly string[]): Promise<Map<string, LinkPicture>> {
  const rendered = await records.read(renderedImages, links);
  const ofModels = [...rendered.values()].filter(({ isEcc }) => isEcc).map(({ _id }) => _id);
  const eccImages = ofModels.length > 0 ? await records.read(eccEslImages, ofModels) : new Map();
  return new Map([...rendered].map(([link, image]) => [link, pictureOf(image, eccImages.get(link))]));
}

function pictureOf(rendered: Stored<RenderedImage>, ofModel: Stored<EccEslImage> | undefined): LinkPicture {
  const own = { kind: renderedImages, key: rendered._id, rev: rendered.rev };
  if (!rendered.isEcc) return { picture: rendered, sources: [own] };
  // The two renderers work side by side: what one drew of an earlier item of the link must never be shown with the other's.
  const isPresent = ofModel?.shows.linkRev === rendered.shows.linkRev;
  const model = { kind: eccEslImages, key: rendered._id, rev: ofModel?.rev ?? 0 };
  return { picture: isPresent ? ofModel : undefined, sources: [own, model] };
}
