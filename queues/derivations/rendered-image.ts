import { LRUCache } from "lru-cache";
import { looksAlike, mergeImages } from "../../domain/labels/merge-images.ts";
import { drawingMark, isNewerDrawing } from "../../drawing/drawing-version.ts";
import { itemPages } from "../../records/kinds/items.ts";
import { eslImages, renderedImages } from "../../records/kinds/pictures.ts";
import type { DesignerLink } from "../../schemas/design.ts";
import type { EslImage, RenderedImage } from "../../schemas/image.ts";
import { itemNamedBy, labelOfLink } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { Derivation } from "../changes/derivation.ts";
import type { Derive } from "../changes/derive.ts";
import { type DrawingWorld, drawAll, lostPictures, marked } from "./draw-links.ts";
import type { eccEslImageDerivation } from "./ecc-esl-image.ts";
import { linkOrdersOf } from "./link-orders.ts";
import { type LoadedFacts, loadFacts, type StudioFacts, studioFactKinds } from "./load-facts.ts";

/** Maximum number of designs whose canvases a process remembers; a store uses a few dozen designs. */
const MAX_DESIGNS = 10_000;

/** Derives renderedimage.v1 from designer link, item, label and design. */
export const renderedImageDerivation = ({
  mark = drawingMark,
  ...dependencies
}: DrawingWorld): Derivation<LoadedFacts, RenderedImage> => {
  const lastCanvases = new LRUCache<string, string>({ max: MAX_DESIGNS });
  return {
    kind: renderedImages,
    from: studioFactKinds,
    keepsInputs: true,
    findLost: lostPictures(dependencies.imageFiles),
    isNewer: isNewerDrawing,
    async load(keys, read, following = () => undefined) {
      // If so, the label's stored picture had no page images, and the merger adds any that have been uploaded since: each of the
      // two workers finds what the other has written.
      const showsAlone = (link: Stored<DesignerLink>) =>
        (following(link._id) as Stored<EslImage> | undefined)?.shows[0]?.item === itemNamedBy(link);
      const loaded = await loadFacts(read, keys, dependencies.drawing, lastCanvases, showsAlone);
      return marked(loaded, mark, ({ designerLink }) => designerLink);
    },
    next: {
      kind: eslImages,
      queue: "merger",
      keyOf: (link) => labelOfLink(link).label,
      decide: ({ isAlone }, image) => (isAlone && !image.isEcc ? mergeImages({ drawn: [image] }) : undefined),
      isQuiet: (current, next) => looksAlike(current as EslImage, next as EslImage),
      absent: ({ soughtPages }) => (soughtPages === undefined ? [] : [{ kind: itemPages, key: soughtPages }]),
    },
    async decide(cases) {
      const orders = linkOrdersOf(cases.map(({ facts }) => drawnFrom(facts)));
      const drawn = await drawAll(dependencies, cases, orders);
      return drawn.map((image, index): RenderedImage => {
        const isChosen = cases[index]?.facts.designerLink.derivedFrom === "studiolink.v1";
        return isChosen && image.shows.design !== undefined ? { ...image, isChosen } : image;
      });
    },
  };
};

/** Removes the facts that the drawing thread does not need. */
const drawnFrom = ({ shows: _, isAlone: __, soughtPages: ___, hasEccLink: ____, ...facts }: LoadedFacts): StudioFacts =>
  facts;

/**
 * Returns a function that derives links' pictures and then the pictures of their ECC models, in this order because the reads
 * for the former show which links may have a model.
 */
export const createDeriveImages =
  (
    derive: Derive["derive"],
    ofLinks: ReturnType<typeof renderedImageDerivation>,
    ofModels: ReturnType<typeof eccEslImageDerivation>,
  ) =>
  async (linkKeys: readonly string[], urgency: Urgency): Promise<void> => {
    const withEccLink = new Set<string>();
    const load: typeof ofLinks.load = async (keys, read, following) => {
      const loaded = await ofLinks.load(keys, read, following);
      for (const [key, { facts }] of loaded) if (facts.hasEccLink) withEccLink.add(key);
      return loaded;
    };
    await derive({ ...ofLinks, load }, linkKeys, urgency);
    await derive(ofModels, [...withEccLink], urgency);
  };
