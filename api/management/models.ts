import { Type } from "typebox";
import { labelTypes } from "../../records/kinds/label-type.ts";
import { models as kind } from "../../records/kinds/model.ts";
import { type Records, readAll } from "../../records/records.ts";
import { LabelType, Model } from "../../schemas/tenant.ts";
import { knownFields } from "../http/known-fields.ts";
import { tenantRoute } from "../http/route.ts";

export interface TenantModelsWorld {
  records: Records;
}

/** The tenant's label models and label types. */
export const tenantModels = ({ records }: TenantModelsWorld) => [
  tenantRoute({
    method: "GET",
    path: "/models",
    operationId: "listTenantModels",
    summary: "Every model of the tenant, with the label types that it is for",
    scope: "design:read",
    answers: { 200: Type.Array(Model) },
    handle: async ({ tenant }) => ({
      status: 200,
      body: (await readAll(records, kind, `${tenant}/models/`)).map((model) => knownFields(Model, model)),
    }),
  }),

  tenantRoute({
    method: "GET",
    path: "/label-types",
    operationId: "listLabelTypes",
    summary: "Every label type that the tenant has",
    scope: "design:read",
    answers: { 200: Type.Array(LabelType) },
    handle: async ({ tenant }) => ({
      status: 200,
      body: (await readAll(records, labelTypes, `${tenant}/labeltypes/`)).map((labelType) =>
        knownFields(LabelType, labelType),
      ),
    }),
  }),
];
