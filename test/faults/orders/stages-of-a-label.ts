import { createDrawing } from "../../../drawing/thread/draw-within-limits.ts";
import type { Derivation } from "../../../queues/changes/derivation.ts";
import { designerLinkDerivation } from "../../../queues/derivations/designer-link.ts";
import { eccEslImageDerivation } from "../../../queues/derivations/ecc-esl-image.ts";
import { eccLinkDerivation } from "../../../queues/derivations/ecc-link.ts";
import { eslImageDerivation } from "../../../queues/derivations/esl-image.ts";
import { renderedImageDerivation } from "../../../queues/derivations/rendered-image.ts";
import { studioLinkDerivation } from "../../../queues/derivations/studio-link.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { openUploads } from "../../../records/files/uploads.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { designerLinks, eccLinks, studioLinks } from "../../../records/kinds/links.ts";
import { eccEslImages, eslImages, renderedImages } from "../../../records/kinds/pictures.ts";
import type { Records } from "../../../records/records.ts";
import type { DesignerLink, EccLink, StudioLink } from "../../../schemas/design.ts";
import type { EccEslImage, EslImage, RenderedImage } from "../../../schemas/image.ts";
import { labelKey, linkIdOf, linkKey } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import { DEMO_STORE, labelFor } from "../../harness/glass.ts";
import type { Shelfwire } from "../../harness/shelfwire.ts";

export const barcode = labelFor("interleaved");
export const label = labelKey(DEMO_STORE, barcode);
export const link = linkKey(DEMO_STORE, linkIdOf(barcode, 0));
const schemeOf = async () => () => 1328;
const drawing = createDrawing();

export type System = Shelfwire["system"];

/** A stage of the pipeline, and the single record that the tests derive at that stage. */
export interface Stage {
  kind: RecordKind<unknown>;
  key: string;
  derivation(records: Records, system: System): Derivation<never, never>;
  /** Returns the value of the derived record that tests compare. */
  outcome(record: Stored<never>): unknown;
}

const stage = <Facts, Body>(
  kind: RecordKind<Body>,
  key: string,
  derivation: (records: Records, system: System) => Derivation<Facts, Body>,
  outcome: (record: Stored<Body>) => unknown,
) => ({ kind, key, derivation, outcome }) as unknown as Stage;

/** The stages of a picture, in order. */
export const stages = {
  evaluator: stage(
    studioLinks,
    link,
    (records) => studioLinkDerivation({ records, schemeOf, now: () => new Date(0), log: { error: () => {} } }),
    ({ design_id }: StudioLink) => design_id,
  ),
  projection: stage(designerLinks, link, designerLinkDerivation, ({ itemId, design_id }: DesignerLink) => [
    itemId,
    design_id,
  ]),
  renderer: stage(
    renderedImages,
    link,
    (_, system) => {
      const now = () => new Date();
      const [imageFiles, uploads] = [openImageFiles(system.db, now), openUploads(system.db, now)];
      return renderedImageDerivation({ imageFiles, uploads, drawing });
    },
    ({ image }: RenderedImage) => image,
  ),
  merger: stage(
    eslImages,
    label,
    (records, system) =>
      eslImageDerivation({
        records,
        imageFiles: openImageFiles(system.db, () => new Date()),
        orderSizes: async () => {},
      }),
    ({ pages }: EslImage) => pages,
  ),
};

/**
 * The stage of an ECC link's record. A link that never was an ECC link has no such record; a missing record equals a deleted one.
 */
export const eccStage = stage(eccLinks, link, eccLinkDerivation, (record?: EccLink) => record?.status ?? "DELETED");

/** The stage that draws the picture of an ECC link. */
export const eccRenderer = stage(
  eccEslImages,
  link,
  (_, system) => {
    const now = () => new Date();
    const [imageFiles, uploads] = [openImageFiles(system.db, now), openUploads(system.db, now)];
    return eccEslImageDerivation({ imageFiles, uploads, drawing });
  },
  ({ image }: EccEslImage) => image,
);

/** The stages of an ECC link's picture, in order. */
export const eccChain = [eccStage, eccRenderer, stages.projection, stages.renderer, stages.merger];
/** Returns the chain that a stage belongs to: the rules' or the ECC link's. */
export const chainOf = (last: Stage): readonly Stage[] =>
  last === eccStage || last === eccRenderer ? eccChain : Object.values(stages);
