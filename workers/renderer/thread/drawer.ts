import { createKeepingPainter } from "../canvas/painter.ts";
import { createEccRendering } from "../links/render-ecc-link.ts";
import { renderLink } from "../links/render-link.ts";
import { createDesigns } from "./designs.ts";
import type { DrawingAnswer, DrawingOrder, DrawnLink, LinkOrder } from "./drawing-order.ts";

/** Maximum size of the picture cache in bytes: the pictures of some forty thousand labels of usual sizes. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;

/** Makes a drawer, which handles one order after the other and needs no database, queue or clock. */
export function createDrawer(maxBytes = MAX_CACHE_BYTES): (order: DrawingOrder) => Promise<DrawingAnswer> {
  const painter = createKeepingPainter(maxBytes);
  const renderEccLink = createEccRendering(painter);
  const designs = createDesigns();

  function drawLink(link: LinkOrder): DrawnLink {
    if ("eccLink" in link) return renderEccLink(link);
    const { designId, ...facts } = link;
    const { canvas, images = new Map() } = designs.get(designId) ?? {};
    return renderLink(painter, { ...facts, canvas, images });
  }

  return async ({ links, designs: sent }) => {
    for (const design of sent) await designs.add(design);
    const needed = links.flatMap((link) => ("designId" in link ? (link.designId ?? []) : []));
    const lacking = [...new Set(needed)].filter((id) => designs.get(id) === undefined);
    return lacking.length > 0 ? { lacking } : { drawn: links.map(drawLink), counts: painter.counts() };
  };
}
