import { Type } from "typebox";
import { CatalogueEntry, labelCatalogue } from "../../schemas/label-catalogue.ts";
import { LabelType } from "../../schemas/label-type.ts";
import { Model } from "../../schemas/model.ts";
import { PLATFORM } from "../../schemas/token.ts";
import { tenantRoute } from "../http/route.ts";
import { labelTypeResource } from "../installation/label-types.ts";
import { modelResource } from "../installation/models.ts";
import type { InstallationWorld } from "../installation/resource.ts";
import { resourceRoutes } from "./resource-routes.ts";

/** Operations on the tenant's label models and label types, which the operator sets up. */
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

  tenantRoute({
    method: "GET",
    path: "/label-type-catalogue",
    operationId: "listLabelTypeCatalogue",
    summary: "List the labels on the market, each with the body of the call that adds its label type",
    description:
      "The same for every tenant. Send an entry's `labelType` to `PUT /label-types/{labelType}` with its `type`.",
    scope: "design:read",
    isForPlatform: true,
    answers: { 200: Type.Array(CatalogueEntry) },
    handle: async () => ({ status: 200, body: [...labelCatalogue] }),
  }),
];
