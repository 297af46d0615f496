import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Case, Derivation, Gathered, Source } from "../../queues/derive.ts";
import type { ImageFile, ImageFiles } from "../../records/image-files.ts";
import type { RecordKind, Stored } from "../../records/kind.ts";
import { canvasDesigns } from "../../records/kinds/canvas-design.ts";
import { designs } from "../../records/kinds/design.ts";
import { designerLinks } from "../../records/kinds/designer-link.ts";
import { items } from "../../records/kinds/item.ts";
import { labels } from "../../records/kinds/label.ts";
import { labelTypes } from "../../records/kinds/label-type.ts";
import { renderedImages } from "../../records/kinds/rendered-image.ts";
import { stores } from "../../records/kinds/store.ts";
import type { Records } from "../../records/records.ts";
import type { RenderedImage, Shown } from "../../schemas/image.ts";
import { exists } from "../../schemas/item.ts";
import { itemKey, labelOfLink, labelTypeKey, ownerOf, tenantOf } from "../../schemas/keys.ts";
import type { createDesigns } from "./designs.ts";
import type { Framebuffer } from "./framebuffer.ts";
import { encodePng } from "./png.ts";
import { type Rendering, type RenderingFacts, renderLink } from "./render-link.ts";

interface Facts extends RenderingFacts {
  shows: Shown;
}

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

    async gather(keys) {
      const links = [...(await records.read(designerLinks, keys)).values()];
      const itemOf = (link: (typeof links)[number]) => itemKey(ownerOf(link._id), link.itemId);
      const labelOf = (link: (typeof links)[number]) => labelOfLink(link._id).label;
      const [itemRecords, labelRecords, designRecords, storeRecords] = await Promise.all([
        records.read(items, links.map(itemOf)),
        records.read(labels, links.map(labelOf)),
        records.read(
          designs,
          links.flatMap(({ design_id }) => design_id ?? []),
        ),
        records.read(
          stores,
          links.map(({ _id }) => ownerOf(_id)),
        ),
      ]);
      const typeOf = (link: (typeof links)[number]) =>
        labelTypeKey(tenantOf(link._id), labelRecords.get(labelOf(link))?.type ?? 0);
      const [typeRecords, canvasRecords] = await Promise.all([
        records.read(labelTypes, links.map(typeOf)),
        records.read(
          canvasDesigns,
          [...designRecords.values()].map(({ canvasId }) => canvasId),
        ),
      ]);
      const ready = new Map(
        await Promise.all([...canvasRecords].map(async ([key, canvas]) => [key, await prepare(canvas)] as const)),
      );

      const gathered = new Map<string, Gathered<Facts>>();
      for (const link of links) {
        const item = itemRecords.get(itemOf(link));
        const labelType = typeRecords.get(typeOf(link));
        const store = storeRecords.get(ownerOf(link._id));
        if (labelType === undefined || store === undefined) continue;
        const design = designRecords.get(link.design_id ?? "");
        const canvas = ready.get(design?.canvasId ?? "");
        gathered.set(link._id, {
          facts: {
            designerLink: link,
            displayPosition: labelOfLink(link._id).displayPosition,
            item: item && exists(item) ? item : undefined,
            labelType,
            store,
            canvas: canvas?.canvas,
            images: canvas?.images ?? new Map(),
            shows: { link: link._id, linkRev: link.linkRev, item: itemOf(link), itemRev: item?.rev ?? 0 },
          },
          sources: [
            source(designerLinks, link._id, link),
            source(items, itemOf(link), item),
            source(labels, labelOf(link), labelRecords.get(labelOf(link))),
            source(labelTypes, labelType._id, labelType),
            source(stores, store._id, store),
            ...(link.design_id === null ? [] : [source(designs, link.design_id, design)]),
            ...(design === undefined
              ? []
              : [source(canvasDesigns, design.canvasId, canvasRecords.get(design.canvasId))]),
          ],
        });
      }
      return gathered;
    },

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

const source = <Body>(kind: RecordKind<Body>, key: string, record: Stored<unknown> | undefined): Source => ({
  kind,
  key,
  rev: record?.rev ?? 0,
});

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
