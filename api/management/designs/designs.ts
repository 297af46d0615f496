import { Type } from "typebox";
import type { Commit } from "../../../queues/changes/commit.ts";
import { canvasDesigns, designs as kind } from "../../../records/kinds/designs.ts";
import { labelTypes } from "../../../records/kinds/tenants.ts";
import { type Records, readAll } from "../../../records/records.ts";
import { hasLayout } from "../../../schemas/canvas.ts";
import { type Design, DesignOrder, type Scenario } from "../../../schemas/design.ts";
import { designKey, fullCanvasDesignKey, idOf } from "../../../schemas/keys.ts";
import { labelCatalogue } from "../../../schemas/label-catalogue.ts";
import type { Fault } from "../../../schemas/problem.ts";
import type { Stored } from "../../../schemas/record.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { plainId } from "../../../schemas/text.ts";
import { knownFields } from "../../body/known-fields.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { Nothing, tenantRoute } from "../../http/route.ts";
import { assertFaultless, createFinder, missing } from "../find-records.ts";
import { readActivePack } from "../packs/active-pack.ts";
import { assertSeen, taggedAnswer } from "../preconditions.ts";

export interface DesignsWorld {
  records: Records;
  commit: Commit;
}

const DesignPath = Type.Object({
  designId: plainId("Id of the design"),
});
const DesignAnswer = Type.Object(
  {
    designId: Type.String({ description: "Id of the design" }),
    key: Type.String({ description: "Full key" }),
    ...DesignOrder.properties,
  },
  { title: "Design" },
);

const ofCatalogue = labelCatalogue.map(({ type, labelType }) => ({ type, ...labelType }));

/** Designs, between which the rules choose: a canvas and the label types that can show it (docs/designs/README.md#the-design). */
export const designs = ({ records, commit }: DesignsWorld) => {
  const found = createFinder(records, { kind, noun: "design", keyOf: designKey });

  async function faultsOf(tenant: string, { canvasId, compatible_esltype_ids }: Design): Promise<Fault[]> {
    const canvas = (await records.read(canvasDesigns, [canvasId])).get(canvasId);
    if (fullCanvasDesignKey(tenant, canvasId) === undefined || canvas === undefined || canvas.deleted)
      return [{ pointer: "/canvasId", detail: `the canvas design "${canvasId}" does not exist` }];
    const ofTenant = await readAll(records, labelTypes, `${tenant}/labeltypes/`);
    // A design may name what can be bought before the tenant has it: labels of the type then show it at once.
    const known = [...ofCatalogue, ...ofTenant];
    const types = new Map(known.map((labelType) => [labelType.type, labelType]));
    return compatible_esltype_ids.flatMap((type, index): Fault[] => {
      const pointer = `/compatible_esltype_ids/${index}`;
      const labelType = types.get(type);
      if (labelType === undefined) return [{ pointer, detail: `the label type ${type} does not exist` }];
      if (hasLayout(canvas, labelType)) return [];
      const { width, height } = labelType;
      return [
        { pointer, detail: `the canvas has no layout of ${width} x ${height} pixels for the label type ${type}` },
      ];
    });
  }

  /** Whether the tenant's active rules choose the design. */
  async function isChosen(tenant: string, design: string): Promise<boolean> {
    const pack = await readActivePack(records, tenant);
    return pack ? names(pack.scenarios, design) : false;
  }

  return [
    tenantRoute({
      method: "GET",
      path: "/designs",
      operationId: "listDesigns",
      summary: "List the tenant's designs",
      scope: "design:read",
      answers: { 200: Type.Array(DesignAnswer) },
      handle: async ({ tenant }) => ({ status: 200, body: (await found.all(tenant)).map(answerOf) }),
    }),

    tenantRoute({
      method: "GET",
      path: "/designs/:designId",
      operationId: "getDesign",
      summary: "Get one design",
      scope: "design:read",
      params: DesignPath,
      isTagged: true,
      answers: { 200: DesignAnswer },
      problems: ["not-found"],
      handle: async ({ tenant, params }) => ({ status: 200, body: answerOf(await found.one(tenant, params.designId)) }),
    }),

    tenantRoute({
      method: "PUT",
      path: "/designs/:designId",
      operationId: "putDesign",
      summary: "Create or replace a design; all links of the tenant are evaluated again and drawn if they change",
      scope: "design:write",
      params: DesignPath,
      body: DesignOrder,
      isGuarded: true,
      answers: { 200: DesignAnswer },
      problems: ["conflict"],
      handle: async ({ tenant, params: { designId }, body, header }) => {
        const { canvasId, ...rest } = knownFields(DesignOrder, body);
        const design = { ...rest, canvasId: fullCanvasDesignKey(tenant, canvasId) ?? canvasId };
        assertFaultless(await faultsOf(tenant, design));
        await found.assertRoom(tenant, designId, tenantLimits.designs);
        const key = designKey(tenant, designId);
        const save = (_: string, current: Stored<Design> | undefined) => {
          assertSeen(header, current && !current.deleted ? answerOf(current) : undefined, `The design "${designId}"`);
          return design;
        };
        const saved = (await commit.change(kind, [key], save, "interactive")).get(key);
        return taggedAnswer(200, answerOf(saved ?? (await found.one(tenant, designId))));
      },
    }),

    tenantRoute({
      method: "DELETE",
      path: "/designs/:designId",
      operationId: "deleteDesign",
      summary: "Delete a design that the active communication pack does not use",
      description: "Links that are forced to it, or have it as their own design, show their background from then on.",
      scope: "design:write",
      params: DesignPath,
      isGuarded: true,
      answers: { 204: Nothing },
      problems: ["not-found", "conflict"],
      handle: async ({ tenant, params: { designId }, header }) => {
        const { _id } = await found.one(tenant, designId);
        if (await isChosen(tenant, _id))
          throw new ProblemError("conflict", `The active communication pack uses the design "${designId}".`);
        const end = (_: string, current: Stored<Design> | undefined): Design => {
          if (current === undefined || current.deleted) throw missing("design", designId);
          assertSeen(header, answerOf(current), `The design "${designId}"`);
          // The record stays and fits no label type: design.v1 publishes its end, and links that name it draw nothing.
          return { name: current.name, canvasId: current.canvasId, compatible_esltype_ids: [], deleted: true };
        };
        await commit.change(kind, [_id], end, "interactive");
        return { status: 204 };
      },
    }),
  ];
};

const answerOf = ({ _id, name, canvasId, compatible_esltype_ids }: Stored<Design>) => ({
  designId: idOf(_id),
  key: _id,
  name,
  canvasId,
  compatible_esltype_ids,
});

const names = (scenarios: readonly Scenario[], design: string): boolean =>
  scenarios.some(({ design_ids, children }) => design_ids.includes(design) || names(children, design));
