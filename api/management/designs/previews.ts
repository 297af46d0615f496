import type { LabelType } from "../../../schemas/label-type.ts";
import { LabelPreview, LabelPreviewOrder } from "../../../schemas/preview-label.ts";
import { PreviewMatrix, PreviewMatrixOrder } from "../../../schemas/preview-matrix.ts";
import { Preview, PreviewOrder } from "../../../schemas/trial.ts";
import { tenantRoute } from "../../http/route.ts";
import { assertFaultless } from "../find-records.ts";
import { readTrialItem } from "../trial-item.ts";
import { createPreviewDrawing, type PreviewsWorld } from "./draw-preview.ts";
import { type Previewed, previewOf } from "./preview-answer.ts";
import { createLabelPreview } from "./preview-label.ts";
import { renamePointers, severityOf, singleOrders } from "./preview-matrix.ts";

/** Maximum number of pixels in an enlarged preview: enough for a label of 800 x 480 at eight times its size. */
export const MAX_PREVIEW_PIXELS = 32 * 2 ** 20;

/** Operations that preview unsaved designs, drawn by the renderer's code and not stored (docs/integrators/management.md). */
export const previews = (world: PreviewsWorld) => {
  const { records } = world;
  const drawing = createPreviewDrawing(world);
  const previewLabel = createLabelPreview(records, drawing, assertSize);

  /** Prepares what the previews of one call have in common. */
  async function prepare(tenant: string, order: Omit<PreviewMatrixOrder, "labelTypes">) {
    const [draft, place] = await Promise.all([
      drawing.check(tenant, order.canvas, order.draft),
      drawing.prepare(tenant, order),
    ]);
    return { ...place, draft };
  }

  async function draw(
    tenant: string,
    order: PreviewOrder,
    { draft, store, files }: Awaited<ReturnType<typeof prepare>>,
    trial: Awaited<ReturnType<typeof readTrialItem>>,
  ): Promise<Previewed> {
    assertSize(trial.labelType, order);
    const { location, facings, displayPosition = 0 } = order;
    const shown = { tenant, store, ...trial, displayPosition, location, facings, draft: order.draft };
    const drawn = await drawing.byCanvas(draft.canvas, shown, files);
    const png = await drawing.shownAs(drawn.png, order);
    return { ...drawn, png, canvas: draft.canvas, invalid: draft.notices };
  }

  return [
    tenantRoute({
      method: "POST",
      path: "/designs/preview",
      operationId: "previewDesign",
      changes: "nothing",
      summary: "Preview a canvas design on a label, with all errors and warnings; saves nothing",
      description: "An item given by its id also requires the scope `items:read`.",
      scope: "design:read",
      body: PreviewOrder,
      namesUnknownFields: true,
      answers: { 200: Preview },
      problems: ["too-much-waiting"],
      handle: async ({ tenant, permit, body }) => {
        const [prepared, trial] = await Promise.all([
          prepare(tenant, body),
          readTrialItem(records, tenant, permit, body),
        ]);
        const drawn = await draw(tenant, body, prepared, trial);
        return { status: 200, body: previewOf(drawn, body) };
      },
    }),

    tenantRoute({
      method: "POST",
      path: "/designs/previews",
      operationId: "previewDesignOfItems",
      changes: "nothing",
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
          const trial = await readTrialItem(records, tenant, permit, order).catch(renamePointers(pointers));
          const drawn = await draw(tenant, order, prepared, trial).catch(renamePointers(pointers));
          previews.push({ itemId, itemIndex, labelType: order.labelType, ...previewOf(drawn, {}) });
        }
        const worstFirst = previews.toSorted((one, other) => severityOf(other) - severityOf(one));
        return { status: 200, body: { faults: previews.filter(({ fault }) => fault).length, previews: worstFirst } };
      },
    }),

    tenantRoute({
      method: "POST",
      path: "/labels/preview",
      operationId: "previewLabel",
      summary:
        "Preview a label with all of its positions, drawn by canvas designs or ECC models and composed as the label would show them; saves nothing",
      description: "Items given by their ids also require the scope `items:read`.",
      scope: "design:read",
      body: LabelPreviewOrder,
      namesUnknownFields: true,
      answers: { 200: LabelPreview },
      problems: ["too-much-waiting"],
      handle: async ({ tenant, permit, body }) => ({ status: 200, body: await previewLabel(tenant, permit, body) }),
    }),
  ];
};

/** Throws if an enlargement would take too much memory. */
function assertSize(
  { width, height }: Pick<LabelType, "width" | "height">,
  { scale = 1 }: Pick<PreviewOrder, "scale">,
) {
  const pixels = width * height * scale ** 2;
  if (pixels <= MAX_PREVIEW_PIXELS) return;
  const detail = `the picture would have ${pixels} pixels, more than the maximum of ${MAX_PREVIEW_PIXELS}: use a smaller scale`;
  assertFaultless([{ pointer: "/scale", detail }]);
}
