import { Type } from "typebox";
import { endedCanvas } from "../../../domain/publishing/subjects.ts";
import type { Expressions } from "../../../drawing/expressions/expressions.ts";
import type { Versions } from "../../../queues/publishing/versions.ts";
import { designs, canvasDesigns as kind } from "../../../records/kinds/designs.ts";
import type { Records } from "../../../records/records.ts";
import { type CanvasDesign, CanvasOrder } from "../../../schemas/canvas.ts";
import { withoutComments } from "../../../schemas/canvas-comments.ts";
import { unknownFieldsOf } from "../../../schemas/check-canvas.ts";
import { canvasDesignKey, designKey, idOf, isCanaryCopy } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { plainId } from "../../../schemas/text.ts";
import { ReplacementCount, ReplacementQuery } from "../../../schemas/trial.ts";
import { knownFields } from "../../body/without-unknown-fields.ts";
import { assertSeen, taggedAnswer } from "../../http/preconditions.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { Nothing, tenantRoute } from "../../http/route.ts";
import { assertFaultless, createFinder, missing } from "../find-records.ts";
import { madeBy, NoteQuery } from "../publishing/made-by.ts";
import type { Replacements } from "../replacement/count-worse.ts";
import { lostTypes } from "./design-faults.ts";
import { assertNoneWorse } from "./replacements.ts";

export interface CanvasDesignsWorld {
  records: Records;
  versions: Versions;
  expressions: Pick<Expressions, "canvasFaults">;
  replacements: Pick<Replacements, "ofCanvas">;
}

const CanvasPath = Type.Object({
  canvasId: plainId("Id of the canvas design"),
});
const CanvasAnswer = Type.Object(
  {
    canvasId: Type.String({ description: "Id of the canvas design" }),
    key: Type.String({ description: "Full key" }),
    ...CanvasOrder.properties,
  },
  { title: "CanvasDesign" },
);

const StoredCanvas = Type.Object(
  { ...CanvasAnswer.properties, replacement: Type.Optional(ReplacementCount) },
  { title: "StoredCanvasDesign" },
);

/**
 * Operations on canvas designs: the layouts, with placeholders for values, that designs draw
 * (docs/designs/README.md#the-design).
 */
export const canvasDesigns = ({ records, versions, expressions, replacements }: CanvasDesignsWorld) => {
  const found = createFinder(records, { kind, noun: "canvas design", keyOf: canvasDesignKey });
  const allDesigns = createFinder(records, { kind: designs, noun: "design", keyOf: designKey });
  const nameOf = (id: string): string => `The canvas design "${id}"`;

  return [
    tenantRoute({
      method: "GET",
      path: "/canvas-designs",
      operationId: "listCanvasDesigns",
      summary: "List the tenant's canvas designs",
      scope: "design:read",
      answers: { 200: Type.Array(CanvasAnswer) },
      handle: async ({ tenant }) => ({
        status: 200,
        body: (await found.all(tenant)).filter(({ _id }) => !isCanaryCopy(_id)).map(answerOf),
      }),
    }),

    tenantRoute({
      method: "GET",
      path: "/canvas-designs/:canvasId",
      operationId: "getCanvasDesign",
      summary: "Get one canvas design",
      scope: "design:read",
      params: CanvasPath,
      isTagged: true,
      answers: { 200: CanvasAnswer },
      problems: ["not-found"],
      handle: async ({ tenant, params }) => ({ status: 200, body: answerOf(await found.one(tenant, params.canvasId)) }),
    }),

    tenantRoute({
      method: "PUT",
      path: "/canvas-designs/:canvasId",
      operationId: "putCanvasDesign",
      summary: "Create or replace a canvas design; all links that show it are drawn again",
      scope: "design:write",
      params: CanvasPath,
      query: Type.Object({ ...ReplacementQuery.properties, ...NoteQuery.properties }),
      body: CanvasOrder,
      namesUnknownFields: true,
      isGuarded: true,
      answers: { 200: StoredCanvas },
      problems: ["too-much-waiting", "conflict"],
      handle: async ({ tenant, permit, params: { canvasId }, query, body, header }) => {
        assertFaultless(unknownFieldsOf(body));
        const canvas = knownFields(CanvasOrder, withoutComments(body));
        assertFaultless(await expressions.canvasFaults(tenant, canvas));
        await found.assertRoom(tenant, canvasId, tenantLimits.canvasDesigns);
        const key = canvasDesignKey(tenant, canvasId);
        const lost = await lostTypes(records, tenant, canvas, key);
        const save = (current: Stored<CanvasDesign> | undefined) => {
          const present = current?.deleted ? undefined : current;
          assertSeen(header, present && answerOf(present), nameOf(canvasId));
          if (present && lost.length > 0) {
            const detail = `${nameOf(canvasId)} would have no layout for the label types ${lost.join(", ")}, for which designs use it.`;
            throw new ProblemError("conflict", detail);
          }
          return canvas;
        };
        const present = (await records.read(kind, [key])).get(key);
        save(present);
        const isReplaced = present !== undefined && !present.deleted;
        const replacement = await assertNoneWorse(query, `This canvas design "${canvasId}"`, isReplaced, () =>
          replacements.ofCanvas(tenant, key, canvas),
        );
        if (query.dryRun) {
          const proposed = answerOf({ ...canvas, _id: key });
          return taggedAnswer(200, proposed, { ...proposed, replacement });
        }
        const saved = await versions.save(thingOf(key), save, madeBy(permit, query));
        const shown = answerOf(saved ?? (await found.one(tenant, canvasId)));
        return taggedAnswer(200, shown, { ...shown, ...(replacement && { replacement }) });
      },
    }),

    tenantRoute({
      method: "DELETE",
      path: "/canvas-designs/:canvasId",
      operationId: "deleteCanvasDesign",
      summary: "Delete a canvas design that no design uses",
      scope: "design:write",
      params: CanvasPath,
      query: NoteQuery,
      isGuarded: true,
      answers: { 204: Nothing },
      problems: ["not-found", "conflict"],
      handle: async ({ tenant, permit, params: { canvasId }, query, header }) => {
        const { _id } = await found.one(tenant, canvasId);
        const user = (await allDesigns.all(tenant)).find((design) => design.canvasId === _id);
        if (user) throw new ProblemError("conflict", `The design "${idOf(user._id)}" uses ${nameOf(canvasId)}.`);
        const end = (current: Stored<CanvasDesign> | undefined): CanvasDesign => {
          if (current === undefined || current.deleted) throw missing("canvas design", canvasId);
          assertSeen(header, answerOf(current), nameOf(canvasId));
          return endedCanvas(current);
        };
        await versions.save(thingOf(_id), end, madeBy(permit, query));
        return { status: 204 };
      },
    }),
  ];
};

const thingOf = (key: string) => ({ subject: "canvas-designs" as const, kind, key });

type Shown = CanvasDesign & Pick<Stored<CanvasDesign>, "_id">;

const answerOf = ({ _id, name, width, height, background, elements, ...rest }: Shown) => ({
  canvasId: idOf(_id),
  key: _id,
  name,
  ...(rest.schemaVersion && { schemaVersion: rest.schemaVersion }),
  width,
  height,
  ...(rest.rotate !== undefined && { rotate: rest.rotate }),
  background,
  elements,
  ...(rest.labelTypes && { labelTypes: rest.labelTypes }),
  ...(rest.variants && { variants: rest.variants }),
});
