import type { NamedFont } from "../canvas/faces.ts";
import { createKeepingPainter } from "../canvas/painter.ts";
import type { NamedImage } from "../canvas/painting.ts";
import { inspectingPainter } from "../inspection/inspecting-painter.ts";
import { createEccRendering } from "../links/render-ecc-link.ts";
import { renderLink, variablesOf } from "../links/render-link.ts";
import { enlarge } from "../pixels/enlarge.ts";
import { rgb } from "../pixels/framebuffer.ts";
import { measuredColors } from "../pixels/light.ts";
import { encodePng } from "../pixels/png.ts";
import { readPicture } from "../pixels/read-picture.ts";
import { templateCanvas } from "../templates/templates.ts";
import { addFace, isKnownFace, isOpenFace } from "../text/fonts.ts";
import { imageNamesIn } from "./asset-names.ts";
import { createDesigns } from "./designs.ts";
import type {
  DrawingAnswer,
  DrawingOrder,
  DrawnLink,
  Lacking,
  LinkOrder,
  NamedFile,
  StudioOrder,
} from "./drawing-order.ts";
import { createImageCache } from "./image-cache.ts";

/** Maximum size of the picture cache in bytes: enough for about forty thousand labels of usual sizes. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;

/** Creates a drawer, which handles one order after another and needs no database, queue or clock. */
export function createDrawer(maxBytes = MAX_CACHE_BYTES): (order: DrawingOrder) => Promise<DrawingAnswer> {
  const painter = createKeepingPainter(maxBytes);
  const renderEccLink = createEccRendering(painter);
  const designs = createDesigns();
  const images = createImageCache();

  function drawLink(link: LinkOrder): DrawnLink {
    if ("eccLink" in link) return renderEccLink(link);
    const { designId, images, fonts, inspection, ...facts } = link;
    const named = { images: decoded(images), ...(fonts && { fonts: opened(fonts) }) };
    return renderLink(inspection ? inspectingPainter(inspection.isDraft) : painter, {
      ...facts,
      canvas: designs.get(designId),
      ...named,
    });
  }

  function imageNamesOf(link: LinkOrder): string[] {
    if (!("designId" in link) || link.item === undefined) return [];
    const canvas = designs.get(link.designId);
    if (canvas === undefined || canvas instanceof Error) return [];
    return imageNamesIn(canvas, link.labelType, variablesOf(link, link.designerLink, link.item));
  }

  const decoded = (named: StudioOrder["images"]): ReadonlyMap<string, NamedImage> =>
    new Map(Array.from(named, ([name, { file, fault }]) => [name, namedImage(file, fault)]));

  const namedImage = (file: string | undefined, fault: string | undefined): NamedImage =>
    file === undefined ? { ...(fault && { fault }) } : { file, bitmap: images.get(file) };

  function lackingFor(links: readonly LinkOrder[]): Lacking {
    const studio = links.flatMap((link) => ("designId" in link ? [link] : []));
    const ids = new Set(studio.flatMap(({ designId }) => designId ?? []));
    return {
      designs: [...ids].filter((id) => designs.get(id) === undefined),
      images: filesOf(studio.map((link) => link.images)).filter((key) => !images.has(key)),
      fonts: filesOf(studio.flatMap((link) => link.fonts ?? [])).filter((key) => !isKnownFace(key)),
    };
  }

  return async (order) => {
    if (order.enlarging) {
      const { png, scale, isMeasured = false } = order.enlarging;
      return { enlarged: encodePng(enlarge(readPicture(png), scale), isMeasured ? measuredColors : rgb) };
    }
    if (order.layingOut) {
      const { templateId, labelType, locale } = order.layingOut;
      return { laidOut: templateCanvas(templateId, labelType, locale) };
    }
    for (const design of order.designs) designs.add(design);
    for (const file of order.images) await images.add(file);
    for (const { key, content } of order.fonts) addFace(key, content, readableFromOf(order.links, key));
    const lacking = lackingFor(order.links);
    const isReady = Object.values(lacking).every(({ length }) => length === 0);
    if (!isReady) return { lacking };
    if (order.isNaming) return { named: order.links.map(imageNamesOf) };
    return { drawn: order.links.map(drawLink), counts: painter.counts() };
  };
}

const opened = (named: NonNullable<StudioOrder["fonts"]>): ReadonlyMap<string, NamedFont> =>
  new Map(
    Array.from(named, ([name, { file, fault }]) => [
      name,
      file !== undefined && isOpenFace(file) ? { face: file } : { ...(fault && { fault }) },
    ]),
  );

function readableFromOf(links: readonly LinkOrder[], key: string): number | undefined {
  const named = links.flatMap((link) => ("designId" in link && link.fonts ? [...link.fonts.values()] : []));
  return named.find(({ file }) => file === key)?.readableFrom;
}

/** Returns the full keys of files, each once. */
const filesOf = (named: readonly ReadonlyMap<string, NamedFile>[]): string[] => [
  ...new Set(named.flatMap((files) => [...files.values()].flatMap(({ file }) => file ?? []))),
];
