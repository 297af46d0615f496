import { drawingMark, isNewerDrawing } from "../../drawing/drawing-version.ts";
import { renderedImages } from "../../records/kinds/pictures.ts";
import type { RenderedImage } from "../../schemas/image.ts";
import type { Derivation } from "../changes/derive.ts";
import { type DrawingWorld, drawAll, lostPictures, marked } from "./draw-links.ts";
import { linkOrdersOf } from "./link-orders.ts";
import { loadFacts, type StudioFacts, studioFactKinds } from "./load-facts.ts";
import type { WithShown } from "./load-surroundings.ts";

/** Derives renderedimage.v1 from designer link, item, label and design. */
export const renderedImageDerivation = ({
  mark = drawingMark,
  ...dependencies
}: DrawingWorld): Derivation<WithShown<StudioFacts>, RenderedImage> => ({
  kind: renderedImages,
  from: studioFactKinds,
  keepsInputs: true,
  findLost: lostPictures(dependencies.imageFiles),
  isNewer: isNewerDrawing,
  load: async (keys, read) =>
    marked(await loadFacts(read, keys, dependencies.drawing), mark, ({ designerLink }) => designerLink),
  async decide(cases) {
    const orders = linkOrdersOf(cases.map(({ facts: { shows: _, ...facts } }) => facts));
    const drawn = await drawAll(dependencies, cases, orders);
    return drawn.map((image, index): RenderedImage => {
      const isChosen = cases[index]?.facts.designerLink.derivedFrom === "studiolink.v1";
      return isChosen && image.shows.design !== undefined ? { ...image, isChosen } : image;
    });
  },
});
