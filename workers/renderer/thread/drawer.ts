import type { NamedImage } from "../canvas/paint-element.ts";
import { createKeepingPainter } from "../canvas/painter.ts";
import { createEccRendering } from "../links/render-ecc-link.ts";
import { renderLink } from "../links/render-link.ts";
import { createDesigns } from "./designs.ts";
import type { DrawingAnswer, DrawingOrder, DrawnLink, Lacking, LinkOrder, StudioOrder } from "./drawing-order.ts";
import { createImageCache } from "./image-cache.ts";

/** Maximum size of the picture cache in bytes: the pictures of some forty thousand labels of usual sizes. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;

/** Makes a drawer, which handles one order after the other and needs no database, queue or clock. */
export function createDrawer(maxBytes = MAX_CACHE_BYTES): (order: DrawingOrder) => Promise<DrawingAnswer> {
  const painter = createKeepingPainter(maxBytes);
  const renderEccLink = createEccRendering(painter);
  const designs = createDesigns();
  const files = createImageCache();

  function drawLink(link: LinkOrder): DrawnLink {
    if ("eccLink" in link) return renderEccLink(link);
    const { designId, images, ...facts } = link;
    return renderLink(painter, { ...facts, canvas: designs.get(designId), images: decoded(images) });
  }

  const decoded = (images: StudioOrder["images"]): ReadonlyMap<string, NamedImage> =>
    new Map(Array.from(images, ([name, { file, fault }]) => [name, namedImage(file, fault)]));

  const namedImage = (file: string | undefined, fault: string | undefined): NamedImage =>
    file === undefined ? { ...(fault && { fault }) } : { file, bitmap: files.get(file) };

  function lackingFor(links: readonly LinkOrder[]): Lacking {
    const studio = links.flatMap((link) => ("designId" in link ? [link] : []));
    const ids = new Set(studio.flatMap(({ designId }) => designId ?? []));
    const keys = new Set(studio.flatMap(({ images }) => [...images.values()].flatMap(({ file }) => file ?? [])));
    return {
      designs: [...ids].filter((id) => designs.get(id) === undefined),
      files: [...keys].filter((key) => !files.has(key)),
    };
  }

  return async (order) => {
    for (const design of order.designs) designs.add(design);
    for (const file of order.files) await files.add(file);
    const lacking = lackingFor(order.links);
    const isReady = lacking.designs.length === 0 && lacking.files.length === 0;
    return isReady ? { drawn: order.links.map(drawLink), counts: painter.counts() } : { lacking };
  };
}
