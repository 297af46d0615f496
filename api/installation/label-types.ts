import { Type } from "typebox";
import { canvasDesigns, designs } from "../../records/kinds/designs.ts";
import { labelTypes as kind, models } from "../../records/kinds/tenants.ts";
import { readAll } from "../../records/records.ts";
import { hasLayout } from "../../schemas/canvas.ts";
import { designKey, idOf, labelTypeKey, modelKey } from "../../schemas/keys.ts";
import { LabelType, LabelTypeOrder } from "../../schemas/label-type.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { anyLabel } from "./label-uses.ts";
import { createResource, type InstallationWorld, type Resource, shownFields } from "./resource.ts";

/** The label types of a tenant: the hardware of its labels. Their ids are their numbers. */
export function labelTypeResource(world: InstallationWorld): Resource<LabelTypeOrder, LabelType> {
  const { records } = world;
  const designsFor = async (tenant: string, type: number) =>
    (await readAll(records, designs, designKey(tenant, ""))).filter(
      ({ deleted, compatible_esltype_ids }) => !deleted && compatible_esltype_ids.includes(type),
    );

  return createResource<LabelType, LabelTypeOrder, LabelType>(world, {
    kind,
    noun: "label type",
    id: Type.String({
      pattern: "^[1-9][0-9]{0,8}$",
      errorMessage: "must be a number of 1 to 9 digits without a leading zero",
      description: "Number of the label type",
      examples: ["1328"],
    }),
    order: LabelTypeOrder,
    keyOf: labelTypeKey,
    bodyOf: (order, id) => ({ type: Number(id), ...order }),
    answerOf: (record) => shownFields(LabelType, record),
    limit: () => ({ most: tenantLimits.labelTypes, of: "A tenant" }),

    async whyKept(order, { type, width, height }, tenant) {
      if (order.width === width && order.height === height) return undefined;
      const named = await designsFor(tenant, type);
      const canvases = await records.read(
        canvasDesigns,
        named.map(({ canvasId }) => canvasId),
      );
      const unfit = named.find(({ canvasId }) => {
        const canvas = canvases.get(canvasId);
        return canvas === undefined || !hasLayout(canvas, { type, ...order });
      });
      const size = `${order.width} x ${order.height} pixels`;
      return unfit && `The design "${idOf(unfit._id)}" is for the label type ${type} but has no layout of ${size}.`;
    },

    async whyInUse({ type }, tenant) {
      const [design] = await designsFor(tenant, type);
      if (design) return `The design "${idOf(design._id)}" is for the label type ${type}.`;
      const model = (await readAll(records, models, modelKey(tenant, ""))).find(({ labelTypes }) =>
        labelTypes.includes(type),
      );
      if (model) return `The model "${model.name}" uses the label type ${type}.`;
      const label = await anyLabel(records, tenant, (one) => one.type === type);
      return label && `The label ${label} is of type ${type}.`;
    },
  });
}
