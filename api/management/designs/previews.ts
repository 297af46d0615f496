import { createHash } from "node:crypto";
import type { Expressions } from "../../../drawing/expressions/expressions.ts";
import type { Drawing } from "../../../drawing/thread/drawing.ts";
import { type FileUser, fileLoader, readNamedFiles } from "../../../queues/derivations/named-files.ts";
import type { ImageFiles } from "../../../records/files/image-files.ts";
import type { Uploads } from "../../../records/files/uploads.ts";
import { stores } from "../../../records/kinds/tenants.ts";
import type { Records } from "../../../records/records.ts";
import { createOwnerTurns } from "../../../runtime/thread/owner-turns.ts";
import { type CanvasDesign, CanvasOrder, inPixels } from "../../../schemas/canvas.ts";
import { withoutComments } from "../../../schemas/canvas-comments.ts";
import { unknownFieldsOf } from "../../../schemas/check-canvas.ts";
import type { Item } from "../../../schemas/item.ts";
import { storeKey, tenantIdOf } from "../../../schemas/keys.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import { dpiOf } from "../../../schemas/panels.ts";
import { PreviewMatrix, PreviewMatrixOrder } from "../../../schemas/preview-matrix.ts";
import type { Fault } from "../../../schemas/problem.ts";
import { Preview, PreviewOrder } from "../../../schemas/trial.ts";
import type { Permit } from "../../access/verify-token.ts";
import { knownFields } from "../../body/known-fields.ts";
import { tenantRoute } from "../../http/route.ts";
import { assertFaultless } from "../find-records.ts";
import { readTrialItem } from "../trial-item.ts";
import { type Previewed, previewOf } from "./preview-answer.ts";
import { draftOf } from "./preview-draft.ts";
import { renamePointers, severityOf, singleOrders } from "./preview-matrix.ts";

export interface PreviewsWorld {
  records: Records;
  imageFiles: ImageFiles;
  uploads: Pick<Uploads, "read">;
  drawing: Drawing;
  expressions: Pick<Expressions, "canvasFaults">;
}

/** What all previews of one call have in common. */
type Prepared = Pick<PreviewOrder, "canvas" | "draft" | "storeId">;

/** Pixels of an enlarged preview: a label of 800 x 480 is shown eight times as large. */
export const MAX_PREVIEW_PIXELS = 32 * 2 ** 20;

/** Previews that wait in a process, of one tenant and of all. */
export const MAX_PREVIEWS_WAITING = { ofOwner: 64, inAll: 256 };

/** Previews of unsaved designs, drawn by the renderer's code and not stored (docs/integrators/management.md). */
export const previews = ({ records, imageFiles, uploads, drawing, expressions }: PreviewsWorld) => {
  const drawInTurn = createOwnerTurns(MAX_PREVIEWS_WAITING);

  /** The canvas and the store of previews; refused with the faults of the canvas, and if the store does not exist. */
  async function prepare(tenant: string, { canvas: sent, draft, storeId }: Prepared) {
    const asked = knownFields(CanvasOrder, withoutComments(sent));
    const key = storeKey(tenantIdOf(tenant), storeId);
    const [found, read] = await Promise.all([expressions.canvasFaults(tenant, asked), records.read(stores, [key])]);
    const { canvas, faults, notices } = draft
      ? draftOf(asked, found)
      : { canvas: asked, faults: found, notices: [] };
    const store = read.get(key);
    assertFaultless([
      ...[...unknownFieldsOf(sent), ...faults].map(({ pointer, detail }) => ({
        pointer: `/canvas${pointer}`,
        detail,
      })),
      ...(store ? [] : [{ pointer: "/storeId", detail: `the store "${storeId}" does not exist` }]),
    ]);
    if (store === undefined) throw new Error("a preview without a store has a fault");
    return { canvas, store, notices };
  }

  async function draw(
    tenant: string,
    permit: Permit,
    order: PreviewOrder,
    { canvas, store, notices }: Awaited<ReturnType<typeof prepare>>,
  ): Promise<Previewed> {
    const { item, labelType } = await readTrialItem(records, tenant, permit, order);
    assertFaultless(sizeFaults(labelType, order.scale ?? 1));
    const link = previewedLink(tenant, canvas, order, { item, labelType, store });
    return { ...(await drawInTurn(tenant, () => drawLink(link, order))), canvas, invalid: notices };
  }

  async function drawLink(link: FileUser, { scale, colors, draft = false }: PreviewOrder) {
    const { tenant: _tenant, canvas, ...drawn } = link;
    const [named] = await readNamedFiles(records.readTogether, [link], drawing);
    const { sources: _sources, ...files } = named ?? { images: new Map(), sources: [] };
    const [one] = await drawing.draw([{ ...drawn, ...files, inspection: { isDraft: draft } }], {
      design: (id) => ({ id, canvas: inPixels(canvas, dpiOf(link.labelType)) }),
      ...fileLoader({ imageFiles, uploads }),
    });
    if (one === undefined) throw new Error("a link that is drawn has a picture");
    const { png } = one.picture;
    if (scale === undefined && colors !== "measured") return { ...one, png };
    return { ...one, png: await drawing.enlarge({ png, scale: scale ?? 1, isMeasured: colors === "measured" }) };
  }

  return [
    tenantRoute({
      method: "POST",
      path: "/designs/preview",
      operationId: "previewDesign",
      summary: "Preview a canvas design on a label, with all errors and warnings; saves nothing",
      description: "An item given by its id also requires the scope `items:read`.",
      scope: "design:read",
      body: PreviewOrder,
      namesUnknownFields: true,
      answers: { 200: Preview },
      problems: ["too-much-waiting"],
      handle: async ({ tenant, permit, body }) => {
        const drawn = await draw(tenant, permit, body, await prepare(tenant, body));
        return { status: 200, body: previewOf(drawn, body) };
      },
    }),

    tenantRoute({
      method: "POST",
      path: "/designs/previews",
      operationId: "previewDesignOfItems",
      summary:
        "Preview a canvas design with several items on several label types, those with faults first; saves nothing",
      description: "Items given by their ids also require the scope `items:read`.",
      scope: "design:read",
      body: PreviewMatrixOrder,
      namesUnknownFields: true,
      answers: { 200: PreviewMatrix },
      problems: ["too-much-waiting"],
      handle: async ({ tenant, permit, body }) => {
        const orders = singleOrders(body);
        const prepared = await prepare(tenant, body);
        const previews: PreviewMatrix["previews"] = [];
        for (const { order, pointers, itemId, itemIndex } of orders) {
          const drawn = await draw(tenant, permit, order, prepared).catch(renamePointers(pointers));
          previews.push({ itemId, itemIndex, labelType: order.labelType, ...previewOf(drawn, {}) });
        }
        const worstFirst = previews.toSorted((one, other) => severityOf(other) - severityOf(one));
        return { status: 200, body: { faults: previews.filter(({ fault }) => fault).length, previews: worstFirst } };
      },
    }),
  ];
};

/**
 * The link that a preview draws. The id of its design is a hash of tenant and canvas, so that repeated previews of one
 * canvas reuse its compiled layout.
 */
function previewedLink(
  tenant: string,
  canvas: CanvasDesign,
  { displayPosition = 0, location, facings }: PreviewOrder,
  shown: Pick<FileUser, "labelType" | "store"> & { item: Item },
): FileUser {
  const designId = createHash("sha256")
    .update(JSON.stringify([tenant, canvas, dpiOf(shown.labelType)]))
    .digest("hex");
  const designerLink = {
    linkRev: 0,
    status: "ACTIVE" as const,
    design_id: designId,
    itemId: shown.item.itemId,
    ...(location !== undefined && { location }),
    ...(facings && { facings }),
  };
  return { ...shown, tenant, designId, canvas, designerLink, displayPosition };
}

function sizeFaults({ width, height }: Pick<LabelType, "width" | "height">, scale: number): Fault[] {
  const pixels = width * height * scale ** 2;
  if (pixels <= MAX_PREVIEW_PIXELS) return [];
  const detail = `the picture would have ${pixels} pixels, more than the maximum of ${MAX_PREVIEW_PIXELS}: use a smaller scale`;
  return [{ pointer: "/scale", detail }];
}
