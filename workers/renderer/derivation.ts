import { setImmediate } from "node:timers/promises";
import type { Case, Derivation } from "../../queues/derive.ts";
import type { ImageFile, ImageFiles } from "../../records/image-files.ts";
import { eccEslImages } from "../../records/kinds/ecc-esl-image.ts";
import { eccLinks } from "../../records/kinds/ecc-link.ts";
import { renderedImages } from "../../records/kinds/rendered-image.ts";
import type { Records } from "../../records/records.ts";
import type { EccEslImage, RenderedImage } from "../../schemas/image.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { createDesigns } from "./designs.ts";
import { gatherFacts } from "./gather-facts.ts";
import { gatherSurroundings, type Surroundings, type Telling } from "./gather-surroundings.ts";
import { imageFileOf } from "./image-file.ts";
import { createEccRendering, type EccFacts } from "./render-ecc-link.ts";
import { type Rendering, type RenderingFacts, renderLink } from "./render-link.ts";

interface Dependencies {
  records: Records;
  imageFiles: ImageFiles;
  prepare: ReturnType<typeof createDesigns>;
}

/** Drawings between two looks at the event loop, which must stay well inside the lock time of a job. */
const DRAWINGS_A_TURN = 20;

/** renderedimage.v1 from designer link, item, label and design. */
export const renderedImageDerivation = ({
  records,
  imageFiles,
  prepare,
}: Dependencies): Derivation<Telling<RenderingFacts>, RenderedImage> => ({
  kind: renderedImages,
  keepsInputs: true,
  gather: (keys) => gatherFacts(records, prepare, keys),
  decide: (cases) => drawAll(imageFiles, cases, renderLink),
});

/** ecceslimage.v1 from ECC link, item and label (specification, ECC path). */
export function eccEslImageDerivation({
  records,
  imageFiles,
}: Omit<Dependencies, "prepare">): Derivation<Telling<EccFacts>, EccEslImage> {
  const renderEccLink = createEccRendering();
  return {
    kind: eccEslImages,
    keepsInputs: true,
    async gather(keys) {
      const links = [...(await records.read(eccLinks, keys)).values()];
      const surrounded = links.length > 0 ? await gatherSurroundings(records, eccLinks, links) : [];
      return new Map(
        surrounded.map(({ link, sources, ...surroundings }) => [
          link._id,
          { facts: { ...surroundings, eccLink: link }, sources },
        ]),
      );
    },
    decide: (cases) => drawAll(imageFiles, cases, renderEccLink),
  };
}

/** Draws pictures, and stores their files before a record points to them. */
async function drawAll<Facts extends Telling<Surroundings>>(
  imageFiles: ImageFiles,
  cases: readonly Case<Facts, RenderedImage>[],
  render: (facts: Facts) => Rendering,
): Promise<RenderedImage[]> {
  const drawn: { tenant: string; file: ImageFile; body: RenderedImage }[] = [];
  for (const [place, one] of cases.entries()) {
    if (place % DRAWINGS_A_TURN === 0) await setImmediate();
    drawn.push(finish(one, render(one.facts)));
  }
  for (const [tenant, ones] of Map.groupBy(drawn, (one) => one.tenant)) {
    const files = new Map(ones.map(({ file }) => [file.sha256, file]));
    await imageFiles.put(tenant, [...files.values()]);
  }
  return drawn.map(({ body }) => body);
}

function finish({ key, facts }: { key: string; facts: Telling<Surroundings> }, rendering: Rendering) {
  const { picture, text, isEmpty, isEcc, fault, errors, warnings } = rendering;
  const file = imageFileOf(picture);
  const { sha256, width, height } = file;
  const body: RenderedImage = {
    shows: facts.shows,
    image: sha256,
    width,
    height,
    ...(text !== undefined && { text }),
    empty: isEmpty,
    ...(isEcc && { isEcc }),
    ...(fault && { fault }),
    ...(errors.length > 0 && { errors: [...errors] }),
    warnings: [...warnings],
  };
  return { tenant: tenantOf(key), file, body };
}
