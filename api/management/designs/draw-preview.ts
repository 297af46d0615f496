import { createHash } from "node:crypto";
import type { Decoding } from "../../../drawing/decoding/decoding.ts";
import type { Expressions } from "../../../drawing/expressions/expressions.ts";
import type { Surroundings } from "../../../drawing/links/surroundings.ts";
import type { Drawing } from "../../../drawing/thread/draw-within-limits.ts";
import { type DrawnLink, itemToDraw, type LinkOrder } from "../../../drawing/thread/drawing-order.ts";
import { type FileUser, fileLoader, readNamedFiles } from "../../../queues/derivations/named-files.ts";
import type { ImageFiles } from "../../../records/files/image-files.ts";
import type { Uploads } from "../../../records/files/uploads.ts";
import { stores } from "../../../records/kinds/tenants.ts";
import type { Records } from "../../../records/records.ts";
import { createOwnerTurns } from "../../../runtime/thread/owner-turns.ts";
import { type CanvasDesign, CanvasOrder, inPixels } from "../../../schemas/canvas.ts";
import { withoutComments } from "../../../schemas/canvas-comments.ts";
import { unknownFieldsOf } from "../../../schemas/check-canvas.ts";
import { storeKey, tenantIdOf } from "../../../schemas/keys.ts";
import type { EccLinkMetadata } from "../../../schemas/link-metadata.ts";
import { dpiOf } from "../../../schemas/panels.ts";
import type { PreviewFiles } from "../../../schemas/preview-files.ts";
import type { Fault } from "../../../schemas/problem.ts";
import type { PreviewOrder } from "../../../schemas/trial.ts";
import { knownFields } from "../../body/without-unknown-fields.ts";
import { assertFaultless } from "../find-records.ts";
import { withFile } from "../replacement/replaced-facts.ts";
import { type Draft, draftOf } from "./preview-draft.ts";
import { createUnsavedFiles, noFiles, type UnsavedFiles } from "./unsaved-files.ts";

export interface PreviewsWorld {
  records: Records;
  imageFiles: ImageFiles;
  uploads: Pick<Uploads, "read">;
  drawing: Drawing;
  decodeAsset: Decoding["decodeAsset"];
  expressions: Pick<Expressions, "canvasFaults">;
}

/** Maximum number of previews waiting in a process: per tenant and in total. */
export const MAX_PREVIEWS_WAITING = { ofOwner: 64, inAll: 256 };

/** The surroundings of a preview's link, and the other inputs of the preview. */
type Shown = Surroundings & { tenant: string } & Pick<PreviewOrder, "location" | "facings" | "draft">;

/** A picture that is drawn by the renderer's code and not stored. */
export type DrawnPreview = DrawnLink & { png: Uint8Array };

/** The steps of drawing previews; each step throws its faults. */
export function createPreviewDrawing(world: PreviewsWorld) {
  const { records, drawing, expressions } = world;
  const inTurn = createOwnerTurns(MAX_PREVIEWS_WAITING);
  const readFiles = createUnsavedFiles(world.decodeAsset);

  async function drawOne(order: LinkOrder, canvas: CanvasDesign | undefined, { files }: UnsavedFiles) {
    const [one] = await drawing.draw([order], {
      design(id) {
        if (canvas === undefined) throw new Error("only a canvas has a design");
        return { id, canvas: inPixels(canvas, dpiOf(order.labelType)) };
      },
      ...fileLoader(world, files),
    });
    if (one === undefined) throw new Error("a link that is drawn has a picture");
    return { ...one, png: one.picture.png };
  }

  return {
    /** Reads the previews' store, and the images and fonts that are sent with them. */
    async prepare(tenant: string, { storeId, ...sent }: Pick<PreviewOrder, "storeId"> & PreviewFiles) {
      const key = storeKey(tenantIdOf(tenant), storeId);
      const store = (await records.read(stores, [key])).get(key);
      if (store === undefined) {
        assertFaultless([{ pointer: "/storeId", detail: `the store "${storeId}" does not exist` }]);
        throw new Error("a preview without a store has a fault");
      }
      const hasFiles = (sent.images ?? sent.fonts) !== undefined;
      return { store, files: hasFiles ? await inTurn(tenant, () => readFiles(tenant, sent)) : noFiles };
    },

    /** Returns a canvas that can be drawn. Throws its faults, with pointers below `pointer`. */
    async check(tenant: string, sent: PreviewOrder["canvas"], isDraft = false, pointer = "/canvas"): Promise<Draft> {
      const asked = knownFields(CanvasOrder, withoutComments(sent));
      const found = await expressions.canvasFaults(tenant, asked);
      const draft = isDraft ? draftOf(asked, found) : { canvas: asked, faults: found, notices: [] };
      const faults: readonly Fault[] = [...unknownFieldsOf(sent), ...draft.faults];
      assertFaultless(faults.map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` })));
      return { ...draft, faults: [] };
    },

    /** Draws a link with a canvas that is not stored. */
    byCanvas: (canvas: CanvasDesign, { tenant, draft = false, ...shown }: Shown, files: UnsavedFiles) =>
      inTurn(tenant, async (): Promise<DrawnPreview> => {
        const link = previewedLink(tenant, canvas, shown);
        const { tenant: _, canvas: __, item, ...order } = link;
        const [named] = await readNamedFiles(records.readTogether, [link], drawing);
        const fonts = named?.fonts && withFiles(named.fonts, files.fonts);
        const images = withFiles(named?.images ?? new Map(), files.images);
        const inspection = { isDraft: draft };
        const drawn = { ...order, item: item && itemToDraw(item), images, ...(fonts && { fonts }), inspection };
        return drawOne(drawn, canvas, files);
      }),

    /** Draws a link with an ECC model. */
    byModel: (model: EccLinkMetadata, { tenant, item, ...shown }: Surroundings & { tenant: string }) =>
      inTurn(tenant, async (): Promise<DrawnPreview> => {
        const eccLink = { linkRev: 0, status: "ACTIVE" as const, itemId: item?.itemId ?? "", ...model };
        return drawOne({ ...shown, item: item && itemToDraw(item), eccLink }, undefined, noFiles);
      }),

    /** Returns a picture in the form that an order requests: enlarged, or in the colours of e-paper. */
    async shownAs(png: Uint8Array, { scale, colors }: Pick<PreviewOrder, "scale" | "colors">): Promise<Uint8Array> {
      if (scale === undefined && colors !== "measured") return png;
      return drawing.enlarge({ png, scale: scale ?? 1, isMeasured: colors === "measured" });
    },
  };
}

const withFiles = <File>(named: ReadonlyMap<string, File>, sent: ReadonlyMap<string, File>) =>
  [...sent].reduce((files, [name, file]) => withFile(files, name, file), named);

/**
 * The link that a preview draws. Its design's id is a hash of tenant and canvas, so that repeated previews of one canvas
 * reuse its compiled layout.
 */
function previewedLink(
  tenant: string,
  canvas: CanvasDesign,
  { location, facings, ...surroundings }: Omit<Shown, "tenant" | "draft">,
): FileUser {
  const designId = createHash("sha256")
    .update(JSON.stringify([tenant, canvas, dpiOf(surroundings.labelType)]))
    .digest("hex");
  const designerLink = {
    linkRev: 0,
    status: "ACTIVE" as const,
    design_id: designId,
    itemId: surroundings.item?.itemId ?? "",
    ...(location !== undefined && { location }),
    ...(facings && { facings }),
  };
  return { ...surroundings, tenant, designId, canvas, designerLink };
}
