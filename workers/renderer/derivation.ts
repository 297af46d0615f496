import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Case, Derivation } from "../../queues/derive.ts";
import type { ImageFile, ImageFiles } from "../../records/image-files.ts";
import { renderedImages } from "../../records/kinds/rendered-image.ts";
import type { Records } from "../../records/records.ts";
import type { RenderedImage } from "../../schemas/image.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { createDesigns } from "./designs.ts";
import type { Framebuffer } from "./framebuffer.ts";
import { type Facts, gatherFacts } from "./gather-facts.ts";
import { encodePng } from "./png.ts";
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

function finish({ key, facts }: Case<Facts, RenderedImage>, { picture, isEmpty, fault, warnings }: Rendering) {
  const { width, height } = picture;
  const sha256 = hashOf(picture);
  return {
    tenant: tenantOf(key),
    file: { sha256, png: encodePng(picture), width, height },
    body: { shows: facts.shows, image: sha256, width, height, empty: isEmpty, warnings, ...(fault && { fault }) },
  };
}

/** SHA-256 of a picture's size, palette and pixels. */
const hashOf = ({ width, height, palette, pixels }: Framebuffer): string =>
  createHash("sha256")
    .update(`${width}x${height} ${palette.join(" ")}\n`)
    .update(pixels)
    .digest("hex");
