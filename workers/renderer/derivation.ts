import { setImmediate } from "node:timers/promises";
import type { Case, Derivation } from "../../queues/derive.ts";
import type { ImageFile, ImageFiles } from "../../records/image-files.ts";
import { renderedImages } from "../../records/kinds/rendered-image.ts";
import type { Records } from "../../records/records.ts";
import type { RenderedImage } from "../../schemas/image.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { createDesigns } from "./designs.ts";
import { type Facts, gatherFacts } from "./gather-facts.ts";
import { imageFileOf } from "./image-file.ts";
import { type Rendering, renderLink } from "./render-link.ts";

interface Dependencies {
  records: Records;
  imageFiles: ImageFiles;
  prepare: ReturnType<typeof createDesigns>;
}

/** Drawings between two looks at the event loop, which must stay well inside the lock time of a job. */
const DRAWINGS_A_TURN = 20;

/** renderedimage.v1 from designer link, item, label and design. */
export function renderedImageDerivation({
  records,
  imageFiles,
  prepare,
}: Dependencies): Derivation<Facts, RenderedImage> {
  return {
    kind: renderedImages,
    keepsInputs: true,

    gather: (keys) => gatherFacts(records, prepare, keys),

    async decide(cases) {
      const drawn: { tenant: string; file: ImageFile; body: RenderedImage }[] = [];
      for (const [place, one] of cases.entries()) {
        if (place % DRAWINGS_A_TURN === 0) await setImmediate();
        drawn.push(finish(one, renderLink(one.facts)));
      }
      for (const [tenant, ones] of Map.groupBy(drawn, (one) => one.tenant)) {
        const files = new Map(ones.map(({ file }) => [file.sha256, file]));
        await imageFiles.put(tenant, [...files.values()]);
      }
      return drawn.map(({ body }) => body);
    },
  };
}

function finish({ key, facts }: Case<Facts, RenderedImage>, rendering: Rendering) {
  const { picture, text, isEmpty, fault, errors, warnings } = rendering;
  const file = imageFileOf(picture);
  const { sha256, width, height } = file;
  const image = { image: sha256, width, height, ...(text !== undefined && { text }) };
  return {
    tenant: tenantOf(key),
    file,
    body: {
      shows: facts.shows,
      ...image,
      empty: isEmpty,
      ...(fault && { fault }),
      ...(errors.length > 0 && { errors }),
      warnings,
    },
  };
}
