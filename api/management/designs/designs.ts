import { Type } from "typebox";
import { endedDesign } from "../../../domain/publishing/subjects.ts";
import type { Versions } from "../../../queues/publishing/versions.ts";
import { designs as kind } from "../../../records/kinds/designs.ts";
import type { Records } from "../../../records/records.ts";
import { type Design, DesignOrder, type Scenario } from "../../../schemas/design.ts";
import { designKey, idOf, isCanaryCopy, originalOf } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { plainId } from "../../../schemas/text.ts";
import { assertSeen, taggedAnswer } from "../../http/preconditions.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { Nothing, tenantRoute } from "../../http/route.ts";
import { assertFaultless, createFinder, missing } from "../find-records.ts";
import { readActivePack, readCanaryPacks } from "../packs/active-pack.ts";
import { designOf } from "../publishing/check-content.ts";
import { madeBy, NoteQuery } from "../publishing/made-by.ts";
import { designFaults } from "./design-faults.ts";

export interface DesignsWorld {
  records: Records;
  versions: Versions;
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

/**
 * Operations on designs. A design is a canvas and the label types that can show it; the rules choose among designs
 * (docs/designs/README.md#the-design).
 */
export const designs = ({ records, versions }: DesignsWorld) => {
  const found = createFinder(records, { kind, noun: "design", keyOf: designKey });

  /** Returns what uses the design: the tenant's active rules or a canary's; undefined if nothing does. */
  async function userOf(tenant: string, design: string): Promise<string | undefined> {
    const pack = await readActivePack(records, tenant);
    if (pack && names(pack.scenarios, design)) return "The active communication pack";
    const canaries = await readCanaryPacks(records, tenant);
    return canaries.some(({ scenarios }) => names(scenarios, design)) ? "A publication to some stores" : undefined;
  }

  return [
    tenantRoute({
      method: "GET",
      path: "/designs",
      operationId: "listDesigns",
      summary: "List the tenant's designs",
      scope: "design:read",
      answers: { 200: Type.Array(DesignAnswer) },
      handle: async ({ tenant }) => ({
        status: 200,
        body: (await found.all(tenant)).filter(({ _id }) => !isCanaryCopy(_id)).map(answerOf),
      }),
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
      summary: "Create or replace a design; all links of the tenant are evaluated again, and drawn if they change",
      scope: "design:write",
      params: DesignPath,
      query: NoteQuery,
      body: DesignOrder,
      isGuarded: true,
      answers: { 200: DesignAnswer },
      problems: ["conflict"],
      handle: async ({ tenant, permit, params: { designId }, query, body, header }) => {
        const design = designOf(tenant, body);
        assertFaultless(await designFaults(records, tenant, design));
        await found.assertRoom(tenant, designId, tenantLimits.designs);
        const save = (current: Stored<Design> | undefined) => {
          assertSeen(header, current && !current.deleted ? answerOf(current) : undefined, `The design "${designId}"`);
          return design;
        };
        const saved = await versions.save(thingOf(tenant, designId), save, madeBy(permit, query));
        return taggedAnswer(200, answerOf(saved ?? (await found.one(tenant, designId))));
      },
    }),

    tenantRoute({
      method: "DELETE",
      path: "/designs/:designId",
      operationId: "deleteDesign",
      summary: "Delete a design that neither the active communication pack nor a canary uses",
      description: "Links that are forced to it, or have it as their own design, then show their background.",
      scope: "design:write",
      params: DesignPath,
      query: NoteQuery,
      isGuarded: true,
      answers: { 204: Nothing },
      problems: ["not-found", "conflict"],
      handle: async ({ tenant, permit, params: { designId }, query, header }) => {
        const { _id } = await found.one(tenant, designId);
        const user = await userOf(tenant, _id);
        if (user !== undefined) throw new ProblemError("conflict", `${user} uses the design "${designId}".`);
        const end = (current: Stored<Design> | undefined): Design => {
          if (current === undefined || current.deleted) throw missing("design", designId);
          assertSeen(header, answerOf(current), `The design "${designId}"`);
          // The record is kept: design.v1 publishes the end of the design.
          return endedDesign(current);
        };
        await versions.save(thingOf(tenant, designId), end, madeBy(permit, query));
        return { status: 204 };
      },
    }),
  ];
};

const thingOf = (tenant: string, id: string) => ({ subject: "designs" as const, kind, key: designKey(tenant, id) });

const answerOf = ({ _id, name, canvasId, compatible_esltype_ids }: Stored<Design>) => ({
  designId: idOf(_id),
  key: _id,
  name,
  canvasId,
  compatible_esltype_ids,
});

const names = (scenarios: readonly Scenario[], design: string): boolean =>
  scenarios.some(
    ({ design_ids, children }) => design_ids.some((key) => originalOf(key) === design) || names(children, design),
  );
