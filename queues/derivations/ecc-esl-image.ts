import { drawingMark, isNewerDrawing } from "../../drawing/drawing-version.ts";
import type { EccFacts } from "../../drawing/links/render-ecc-link.ts";
import { itemToDraw } from "../../drawing/thread/drawing-order.ts";
import { eccLinks } from "../../records/kinds/links.ts";
import { eccEslImages } from "../../records/kinds/pictures.ts";
import type { EccEslImage } from "../../schemas/image.ts";
import type { Derivation } from "../changes/derivation.ts";
import { type DrawingWorld, drawAll, lostPictures, marked } from "./draw-links.ts";
import { linkOrdersOf } from "./link-orders.ts";
import { partsOf, placesOfLinks, surround, surroundingKinds, type WithShown } from "./load-surroundings.ts";

/** Derives ecceslimage.v1 from ECC link, item and label (docs/designs/ecc-models.md). */
export const eccEslImageDerivation = ({
  mark = drawingMark,
  ...dependencies
}: DrawingWorld): Derivation<WithShown<EccFacts>, EccEslImage> => ({
  kind: eccEslImages,
  from: [eccLinks, ...surroundingKinds],
  keepsInputs: true,
  findLost: lostPictures(dependencies.imageFiles),
  isNewer: isNewerDrawing,
  async load(keys, read) {
    const [found] = await read([{ kind: eccLinks, keys }]);
    const links = [...found.values()];
    const [ofLabels, ofStores] = await read(placesOfLinks([...found.keys()]));
    const [ofItems, ofTypes] = await read(partsOf(links, ofLabels));
    const neighbours = { items: ofItems, labels: ofLabels, labelTypes: ofTypes, stores: ofStores };
    const surrounded = surround(eccLinks, links, neighbours);
    const loaded = new Map(
      surrounded.map(({ link, sources, ...surroundings }) => [
        link._id,
        { facts: { ...surroundings, eccLink: link }, sources },
      ]),
    );
    return marked(loaded, mark, ({ eccLink }) => eccLink);
  },
  decide: (cases) =>
    drawAll(dependencies, cases, {
      orders: cases.map(({ facts: { shows: _, item, ...facts } }) => ({ ...facts, item: item && itemToDraw(item) })),
      design: linkOrdersOf([]).design,
    }),
});
