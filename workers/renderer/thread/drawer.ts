import { createKeepingPainter } from "../canvas/painter.ts";
import { createEccRendering } from "../links/render-ecc-link.ts";
import { renderLink } from "../links/render-link.ts";
import { createDesigns } from "./designs.ts";
import type { DrawingAnswer, DrawingOrder, DrawnLink, LinkOrder } from "./drawing-order.ts";

/** Bytes of pictures that are kept: those of some forty thousand labels of usual sizes. */
const ROOM = 64 * 1024 * 1024;

/** Draws what it is ordered, one order after the other. It needs nothing of the world. */
export function createDrawer(room = ROOM): (order: DrawingOrder) => Promise<DrawingAnswer> {
  const painter = createKeepingPainter(room);
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
    const wanted = links.flatMap((link) => ("designId" in link ? (link.designId ?? []) : []));
    const lacking = [...new Set(wanted)].filter((id) => designs.get(id) === undefined);
    return lacking.length > 0 ? { lacking } : { drawn: links.map(drawLink), counts: painter.counts() };
  };
}
