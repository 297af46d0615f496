import { LRUCache } from "lru-cache";
import { Type } from "typebox";
import { type LayingOut, type TemplateId, templateIds, templateMeans } from "../../../drawing/templates/listed.ts";
import { type LaidOut, templateDesign } from "../../../drawing/templates/template-design.ts";
import type { Drawing } from "../../../drawing/thread/draw-within-limits.ts";
import { labelTypes as labelTypeKind, stores } from "../../../records/kinds/tenants.ts";
import type { Records } from "../../../records/records.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import { canvasLimits } from "../../../schemas/canvas-parts.ts";
import { DesignTemplate as TemplateAnswer, TemplateCanvas, TemplateOrder } from "../../../schemas/design-template.ts";
import { labelTypeKey, storeKey, tenantIdOf } from "../../../schemas/keys.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import { dpiOf } from "../../../schemas/panels.ts";
import type { Fault } from "../../../schemas/problem.ts";
import { tenantRoute } from "../../http/route.ts";
import { assertFaultless, missing } from "../find-records.ts";

export interface DesignTemplatesWorld {
  records: Records;
  drawing: Pick<Drawing, "layOut">;
}

const TemplatePath = Type.Object({
  templateId: Type.String({ description: "Id of the template", examples: ["standard"] }),
});

/** Maximum number of cached layouts. Computing one takes milliseconds, since text is measured. */
const MAX_KEPT = 1000;
const kept = new LRUCache<string, { canvas: CanvasDesign | undefined }>({ max: MAX_KEPT });

/** Operations on the shipped designs, as a starting point for new ones (docs/designs/shipped.md). */
export const designTemplateRoutes = ({ records, drawing }: DesignTemplatesWorld) => {
  /** Returns the label types and locale of an order; throws if one of them does not exist. */
  async function readOrder(tenant: string, { storeId, labelTypes }: TemplateOrder) {
    const key = storeKey(tenantIdOf(tenant), storeId);
    const keys = labelTypes.map((type) => labelTypeKey(tenant, type));
    const [foundStores, types] = await Promise.all([records.read(stores, [key]), records.read(labelTypeKind, keys)]);
    const store = foundStores.get(key);
    assertFaultless([
      ...(store ? [] : [{ pointer: "/storeId", detail: `the store "${storeId}" does not exist` }]),
      ...labelTypes.flatMap((type, index) =>
        types.has(keys[index] ?? "")
          ? []
          : [{ pointer: `/labelTypes/${index}`, detail: `the label type ${type} does not exist` }],
      ),
    ]);
    return { types: keys.flatMap((one) => types.get(one) ?? []), locale: store?.locale ?? "" };
  }

  return [
    tenantRoute({
      method: "GET",
      path: "/design-templates",
      operationId: "listDesignTemplates",
      summary: "List the shipped designs, as starting points for canvas designs",
      scope: "design:read",
      answers: { 200: Type.Array(TemplateAnswer) },
      handle: async () => ({
        status: 200,
        body: templateIds.map((templateId) => ({ templateId, means: templateMeans[templateId] })),
      }),
    }),

    tenantRoute({
      method: "POST",
      path: "/design-templates/:templateId/canvas",
      operationId: "layOutDesignTemplate",
      summary: "Lay out a shipped design for label types, as a canvas design to save or change; saves nothing",
      scope: "design:read",
      params: TemplatePath,
      body: TemplateOrder,
      answers: { 200: TemplateCanvas },
      problems: ["not-found"],
      handle: async ({ tenant, params: { templateId }, body }) => {
        if (!isTemplate(templateId)) throw missing("design template", templateId);
        const { types, locale } = await readOrder(tenant, body);
        const laidOut: LaidOut[] = [];
        for (const labelType of types)
          laidOut.push({ labelType, canvas: await layOut(drawing, { templateId, labelType, locale }) });
        const made = templateDesign(templateId, laidOut);
        assertFaultless(sizeFaults(made?.canvas.variants?.length ?? 0));
        return { status: 200, body: made ?? { labelTypes: [] } };
      },
    }),
  ];
};

const isTemplate = (id: string): id is TemplateId => Object.hasOwn(templateMeans, id);

/** Lays out a template in the drawing thread, or returns an earlier result. */
async function layOut(
  drawing: DesignTemplatesWorld["drawing"],
  { templateId, labelType, locale }: LayingOut & { labelType: LabelType },
): Promise<CanvasDesign | undefined> {
  const { width, height, display } = labelType;
  const dpi = dpiOf(labelType);
  const name = JSON.stringify([templateId, width, height, dpi, display, locale]);
  const before = kept.get(name);
  if (before) return before.canvas;
  const canvas = await drawing.layOut({ templateId, labelType: { width, height, dpi, display }, locale });
  kept.set(name, { canvas });
  return canvas;
}

/** Returns a fault if the label types have more sizes than a canvas design can have. */
function sizeFaults(variants: number): Fault[] {
  if (variants <= canvasLimits.variants) return [];
  const detail = `the labels have ${variants + 1} sizes, more than the maximum of ${canvasLimits.variants + 1} for one canvas design: send fewer`;
  return [{ pointer: "/labelTypes", detail }];
}
