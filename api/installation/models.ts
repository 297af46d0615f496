import { models as kind, labelTypes } from "../../records/kinds/tenants.ts";
import { labelTypeKey, modelKey } from "../../schemas/keys.ts";
import { Model, ModelOrder } from "../../schemas/model.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { identifier } from "../../schemas/text.ts";
import { anyLabel } from "./label-uses.ts";
import { createResource, type InstallationWorld, type Resource, shownFields } from "./resource.ts";

/** The models of a tenant's labels. Their ids are their names. */
export const modelResource = (world: InstallationWorld): Resource<ModelOrder, Model> =>
  createResource<Model, ModelOrder, Model>(world, {
    kind,
    noun: "model",
    id: identifier(128, "Name of the model"),
    order: ModelOrder,
    keyOf: modelKey,
    bodyOf: (order, name) => ({ name, ...order }),
    answerOf: (record) => shownFields(Model, record),
    limit: () => ({ most: tenantLimits.models, of: "A tenant" }),

    async faultsOf(order, tenant) {
      const keys = order.labelTypes.map((type) => labelTypeKey(tenant, type));
      const known = await world.records.read(labelTypes, keys);
      return order.labelTypes.flatMap((type, index) =>
        known.has(labelTypeKey(tenant, type))
          ? []
          : [{ pointer: `/labelTypes/${index}`, detail: `the label type ${type} does not exist` }],
      );
    },

    async whyKept(order, { name, labelTypes: present, linkPositions }, tenant) {
      const isNarrower =
        order.linkPositions < linkPositions || present.some((type) => !order.labelTypes.includes(type));
      const label =
        isNarrower &&
        (await anyLabel(world.records, tenant, ({ type, modelName }) => {
          const isLeftOut = !order.labelTypes.includes(type) || order.linkPositions < linkPositions;
          return modelName === name && isLeftOut;
        }));
      return label
        ? `The label ${label} uses the model "${name}", so label types and positions can only be added to it.`
        : undefined;
    },

    async whyInUse({ name }, tenant) {
      const label = await anyLabel(world.records, tenant, ({ modelName }) => modelName === name);
      return label && `The label ${label} uses the model "${name}".`;
    },
  });
