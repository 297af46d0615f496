import { pageToSend } from "../../domain/labels/pages-to-send.ts";
import type { Derive } from "../../queues/changes/derive.ts";
import type { studioLinkDerivation } from "../../queues/derivations/studio-link.ts";
import { inputOf, type RecordKind } from "../../records/kind.ts";
import { labelStates } from "../../records/kinds/labels.ts";
import { designerLinks, eccLinks, links, studioLinks } from "../../records/kinds/links.ts";
import { eccEslImages, eslImages, renderedImages } from "../../records/kinds/pictures.ts";
import type { Records } from "../../records/records.ts";
import type { EccEslImage, EslImage, RenderedImage } from "../../schemas/image.ts";
import type { Stored } from "../../schemas/record.ts";
import type { LinkProgress } from "./link-single.ts";

/**
 * Returns a link's progress to the glass. LINKED: every derived record was made from the current rev of its inputs, and
 * the label acknowledged the picture. FAILED: no design fits, drawing failed, or transmission to the label was abandoned.
 * PENDING otherwise.
 */
export function createLinkProgress(
  records: Records,
  { findStale }: Derive,
  studioLinkRule: ReturnType<typeof studioLinkDerivation>,
) {
  return async (linkKey: string, labelKey: string): Promise<LinkProgress> => {
    const [link, studioLink, designerLink, rendered, image, state] = await Promise.all([
      readOne(records.read(links, [linkKey])),
      readOne(records.read(studioLinks, [linkKey])),
      readOne(records.read(designerLinks, [linkKey])),
      readOne(records.read(renderedImages, [linkKey])),
      readOne(records.read(eslImages, [labelKey])),
      readOne(records.read(labelStates, [labelKey])),
    ]);
    const isMadeFrom = (
      made: Stored<unknown> | undefined,
      kind: RecordKind<unknown>,
      source: Stored<unknown> | undefined,
    ) => source !== undefined && made?.inputs?.includes(inputOf(kind, source._id, source.rev)) === true;
    const isDrawnByModel = async (ofModel: Stored<EccEslImage> | undefined) => {
      const eccLink = await readOne(records.read(eccLinks, [linkKey]));
      return (
        isMadeFrom(eccLink, links, link) &&
        isMadeFrom(ofModel, eccLinks, eccLink) &&
        isMadeFrom(image, eccEslImages, ofModel)
      );
    };
    const ofModel = rendered?.isEcc ? await readOne(records.read(eccEslImages, [linkKey])) : undefined;
    const isDrawn =
      isMadeFrom(designerLink, links, link) &&
      (link?.origin !== "studio" || isMadeFrom(designerLink, studioLinks, studioLink)) &&
      isMadeFrom(rendered, designerLinks, designerLink) &&
      isMadeFrom(image, renderedImages, rendered) &&
      (!rendered?.isEcc || (await isDrawnByModel(ofModel)));
    if (!isDrawn || (await findStale(studioLinkRule, [linkKey])).length > 0) return "PENDING";
    if (isFaulty(image, ofModel ?? rendered) || state?.givenUp !== undefined) return "FAILED";
    const isWanted =
      state !== undefined &&
      image?.pages.every(({ page, image: sha256 }) =>
        state.wanted.some((wanted) => wanted.page === page && wanted.image === sha256),
      );
    return isWanted && pageToSend(state) === undefined ? "LINKED" : "PENDING";
  };
}

/**
 * Whether a link's own part of its label's picture could not be drawn. A fault at another position leaves only that
 * position blank. An overlap leaves all positions blank, and an uploaded image clears the fault of the picture that it
 * replaces.
 */
export const isFaulty = (
  image: Pick<EslImage, "fault"> | undefined,
  own: Pick<RenderedImage, "fault"> | undefined,
): boolean => image?.fault !== undefined && (own?.fault !== undefined || image.fault.reason === "POSITIONS_OVERLAP");

const readOne = async <Body>(read: Promise<Map<string, Stored<Body>>>): Promise<Stored<Body> | undefined> =>
  [...(await read).values()][0];
