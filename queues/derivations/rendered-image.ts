import { drawingMark, isNewerDrawing } from "../../drawing/drawing-version.ts";
import type { EccFacts } from "../../drawing/links/render-ecc-link.ts";
import type { Drawing } from "../../drawing/thread/drawing.ts";
import { type DrawnLink, itemToDraw } from "../../drawing/thread/drawing-order.ts";
import type { ImageFiles } from "../../records/files/image-files.ts";
import type { Uploads } from "../../records/files/uploads.ts";
import { eccEslImages } from "../../records/kinds/ecc-esl-image.ts";
import { eccLinks } from "../../records/kinds/ecc-link.ts";
import { renderedImages } from "../../records/kinds/rendered-image.ts";
import type { Records } from "../../records/records.ts";
import type { LinkProjection } from "../../schemas/design.ts";
import type { EccEslImage, RenderedImage, Shown } from "../../schemas/image.ts";
import { imageFileKey, tenantOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Case, Derivation, Loaded } from "../changes/derive.ts";
import { type LinkOrders, linkOrdersOf } from "./link-orders.ts";
import { loadFacts, type StudioFacts, studioFactKinds } from "./load-facts.ts";
import { loadSurroundings, surroundingKinds, type WithShown } from "./load-surroundings.ts";
import { fileLoader } from "./named-files.ts";

interface Dependencies {
  records: Records;
  imageFiles: ImageFiles;
  /** Has the files of fonts. */
  uploads: Pick<Uploads, "read">;
  drawing: Drawing;
  /** Told of pictures that were drawn for a tenant, by its key. */
  onDrawn?(tenant: string, pictures: number): void;
  /** Names the release's way to draw; that of this release where absent. */
  mark?: string;
}

/** Derives renderedimage.v1 from designer link, item, label and design. */
export const renderedImageDerivation = ({
  records,
  mark = drawingMark,
  ...dependencies
}: Dependencies): Derivation<WithShown<StudioFacts>, RenderedImage> => ({
  kind: renderedImages,
  from: studioFactKinds,
  keepsInputs: true,
  findLost: lostPictures(dependencies.imageFiles),
  isNewer: isNewerDrawing,
  load: async (keys) =>
    marked(await loadFacts(records, keys, dependencies.drawing), mark, ({ designerLink }) => designerLink),
  async decide(cases) {
    const orders = linkOrdersOf(cases.map(({ facts: { shows: _, ...facts } }) => facts));
    const drawn = await drawAll(dependencies, cases, orders);
    return drawn.map((image, index): RenderedImage => {
      const isChosen = cases[index]?.facts.designerLink.derivedFrom === "studiolink.v1";
      return isChosen && image.shows.design !== undefined ? { ...image, isChosen } : image;
    });
  },
});

/** Derives ecceslimage.v1 from ECC link, item and label (docs/designs.md#ecc-models). */
export const eccEslImageDerivation = ({
  records,
  mark = drawingMark,
  ...dependencies
}: Dependencies): Derivation<WithShown<EccFacts>, EccEslImage> => ({
  kind: eccEslImages,
  from: [eccLinks, ...surroundingKinds],
  keepsInputs: true,
  findLost: lostPictures(dependencies.imageFiles),
  isNewer: isNewerDrawing,
  async load(keys) {
    const links = [...(await records.read(eccLinks, keys)).values()];
    const surrounded = links.length > 0 ? await loadSurroundings(records, eccLinks, links) : [];
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

/** Finds the records of pictures whose file is not stored. */
const lostPictures = (imageFiles: ImageFiles) => async (records: readonly Stored<RenderedImage>[]) => {
  const fileOf = ({ _id, image }: Stored<RenderedImage>) => imageFileKey(tenantOf(_id), image);
  const missing = await imageFiles.findMissing(records.map(fileOf));
  return records.filter((record) => missing.has(fileOf(record))).map(({ _id }) => _id);
};

/** Adds the mark to the inputs of active links. Others show nothing, so their pictures are the same in every release. */
function marked<Facts>(
  loaded: ReadonlyMap<string, Loaded<Facts>>,
  mark: string,
  linkOf: (facts: Facts) => LinkProjection,
): Map<string, Loaded<Facts>> {
  return new Map(
    [...loaded].map(([key, input]) => [key, linkOf(input.facts).status === "ACTIVE" ? { ...input, mark } : input]),
  );
}

/** Draws pictures, and stores their files before any record points to them. */
async function drawAll(
  { imageFiles, uploads, drawing, onDrawn }: Pick<Dependencies, "imageFiles" | "uploads" | "drawing" | "onDrawn">,
  cases: readonly Case<{ shows: Shown }, RenderedImage>[],
  { orders, design }: LinkOrders,
): Promise<RenderedImage[]> {
  const drawn = await drawing.draw(orders, { design, ...fileLoader({ imageFiles, uploads }) });
  const ofTenants = Map.groupBy(drawn.entries(), ([index]) => tenantOf(cases[index]?.key ?? ""));
  for (const [tenant, group] of ofTenants) {
    const files = new Map(group.map(([, { picture }]) => [picture.sha256, picture]));
    await imageFiles.put(tenant, [...files.values()]);
    onDrawn?.(tenant, group.length);
  }
  return cases.map(({ facts }, index) => imageOf(facts.shows, drawn[index] as DrawnLink));
}

function imageOf(shows: Shown, { picture, text, isEmpty, isEcc, fault, errors, warnings }: DrawnLink): RenderedImage {
  return {
    shows,
    image: picture.sha256,
    width: picture.width,
    height: picture.height,
    ...(text !== undefined && { text }),
    empty: isEmpty,
    ...(isEcc && { isEcc }),
    ...(fault && { fault }),
    ...(errors.length > 0 && { errors: [...errors] }),
    warnings: [...warnings],
  };
}
