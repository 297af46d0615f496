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
      list: "Every model of the tenant, with the label types that it is for",
      get: "One model",
      put: "Make or change a model",
      remove: "Remove a model that no label has",
    },
    description: "While a label is of the model it can be given more label types and positions, and not fewer.",
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
      list: "Every label type that the tenant has",
      get: "One label type",
      put: "Make or change a label type",
      remove: "Remove a label type that no design, no model and no label has",
    },
    description:
      "Labels are drawn anew when their item next changes, at the latest by the next audit. The size stays while a design " +
      "has no layout of another one.",
  }),
];
