import { LRUCache } from "lru-cache";
import { looksAlike, mergeImages } from "../../domain/labels/merge-images.ts";
import { drawingMark, isNewerDrawing } from "../../drawing/drawing-version.ts";
import { isInputOf } from "../../records/kind.ts";
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

/** Maximum number of designs whose canvas a process remembers; a store uses a few dozen. */
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
      const showsAlone = (link: Stored<DesignerLink>) =>
        isOfLinkAlone(following(link._id) as Stored<EslImage> | undefined, link);
      const loaded = await loadFacts(read, keys, dependencies.drawing, lastCanvases, showsAlone);
      return marked(loaded, mark, ({ designerLink }) => designerLink);
    },
    next: {
      kind: eslImages,
      queue: "merger",
      keyOf: (link) => labelOfLink(link).label,
      decide: ({ isAlone }, image) => (isAlone && !image.isEcc ? mergeImages({ drawn: [image] }) : undefined),
      isQuiet: (current, next) => looksAlike(current as EslImage, next as EslImage),
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

/**
 * Whether a label's picture was made only from this link's picture, with the same item. Then the item had no page images. The
 * merger adds page images that come later, and each of the two workers finds what the other has written.
 */
const isOfLinkAlone = (image: Stored<EslImage> | undefined, link: Stored<DesignerLink>): boolean =>
  image?.inputs?.length === 1 &&
  isInputOf(renderedImages, link._id, image.inputs[0]) &&
  image.shows[0]?.item === itemNamedBy(link);

/** Removes the facts that the drawing thread does not need. */
const drawnFrom = ({ shows: _, isAlone: __, hasEccLink: ___, ...facts }: LoadedFacts): StudioFacts => facts;

/**
 * Returns a function that derives links' pictures and then the pictures of their ECC models: the reads for the former show
 * which links may have a model.
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
