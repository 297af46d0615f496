import { LabelType } from "../../schemas/label-type.ts";
import { Model } from "../../schemas/model.ts";
import { PLATFORM } from "../../schemas/token.ts";
import { labelTypeResource } from "../installation/label-types.ts";
import { modelResource } from "../installation/models.ts";
import type { InstallationWorld } from "../installation/resource.ts";
import { resourceRoutes } from "./resource-routes.ts";

/** The tenant's label models and label types, which the operator sets up. */
export const tenantModels = (world: InstallationWorld) => [
  ...resourceRoutes({
    resource: modelResource(world),
    of: "tenant",
    path: "/models/:modelName",
    answer: Model,
    read: "design:read",
    write: PLATFORM,
    operationIds: { list: "listTenantModels", get: "getModel", put: "putModel", remove: "deleteModel" },
    summaries: {
      list: "List the tenant's models with their label types",
      get: "Get one model",
      put: "Create or change a model",
      remove: "Delete a model that no label uses",
    },
    description: "While a label uses the model, label types and positions can be added to it but not removed.",
  }),

  ...resourceRoutes({
    resource: labelTypeResource(world),
    of: "tenant",
    path: "/label-types/:labelType",
    answer: LabelType,
    read: "design:read",
    write: PLATFORM,
    operationIds: { list: "listLabelTypes", get: "getLabelType", put: "putLabelType", remove: "deleteLabelType" },
    summaries: {
      list: "List the tenant's label types",
      get: "Get one label type",
      put: "Create or change a label type",
      remove: "Delete a label type that no design, model or label uses",
    },
    description:
      "Labels are drawn again when their item next changes, or by the next audit at the latest. The size cannot change while a design " +
      "has no layout of the new size.",
  }),
];
