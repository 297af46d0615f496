import { Type } from "typebox";
import { differencesOf } from "../../../domain/publishing/differences.ts";
import { contentOf } from "../../../domain/publishing/live.ts";
import { unknownProperties } from "../../../domain/publishing/unknown-properties.ts";
import { thingOf } from "../../../queues/publishing/things.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import type { DesignOrder } from "../../../schemas/design.ts";
import type { Stored } from "../../../schemas/record.ts";
import { plainId } from "../../../schemas/text.ts";
import {
  type Content,
  Differences,
  type Draft,
  DraftAnswer,
  DraftOrder,
  DraftSummary,
  SavedDraft,
  type Subject,
} from "../../../schemas/version.ts";
import { authorOf } from "../../access/actor-of.ts";
import { assertSeen, taggedAnswer } from "../../http/preconditions.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { Nothing, type Route, tenantRoute } from "../../http/route.ts";
import type { ItemPropertiesWorld } from "../item-properties.ts";
import { type ContentsWorld, createCheckContent, type Drafted, designOf, formFaults } from "./check-content.ts";
import { contentOfDraft, createDraftStore, type DraftStore, type DraftStoreWorld, draftAnswer } from "./draft-store.ts";
import { subjectNames, subjects } from "./subjects.ts";

export type DraftsWorld = DraftStoreWorld & ContentsWorld & ItemPropertiesWorld;

/** Operations on drafts of packs, designs and canvas designs (docs/integrators/publishing.md#drafts). */
export function drafts(world: DraftsWorld): Route[] {
  const store = createDraftStore(world);
  return [listDrafts(store), ...subjectNames.flatMap((subject) => draftsOf(world, store, subject))];
}

const listDrafts = (store: DraftStore) =>
  tenantRoute({
    method: "GET",
    path: "/drafts",
    operationId: "listDrafts",
    summary: "List the drafts of all packs, designs and canvas designs, without their contents",
    scope: "design:read",
    answers: { 200: Type.Array(DraftSummary) },
    handle: async ({ tenant }) => ({ status: 200, body: await store.all(tenant) }),
  });

function draftsOf(world: DraftsWorld, store: DraftStore, subject: Subject): Route[] {
  const { records, versions } = world;
  const { noun, param, title } = subjects[subject];
  const checkContent = createCheckContent(world);
  const path = `/${subject}/:${param}/draft`;
  const params = Type.Object({ [param]: plainId(`Id of the ${noun}`) });
  const named = (tenant: string, values: Record<string, string>) => thingOf(tenant, subject, values[param] ?? "");
  const guard = (header: (name: string) => string, id: string) => (present: Stored<Draft> | undefined) =>
    assertSeen(header, present && draftAnswer(present), `The draft of the ${noun} "${id}"`);

  return [
    tenantRoute({
      method: "GET",
      path,
      operationId: `get${title}Draft`,
      summary: `Get the draft of a ${noun}`,
      scope: "design:read",
      params,
      isTagged: true,
      answers: { 200: DraftAnswer },
      problems: ["not-found"],
      handle: async ({ tenant, params: values }) => ({
        status: 200,
        body: draftAnswer(await store.one(named(tenant, values))),
      }),
    }),

    tenantRoute({
      method: "PUT",
      path,
      operationId: `put${title}Draft`,
      summary: `Save a draft of a ${noun}, which may be faulty; no label depends on it`,
      description: `The ${noun} need not exist yet. The response lists what would prevent its publication.`,
      scope: "design:write",
      params,
      body: DraftOrder,
      namesUnknownFields: true,
      isGuarded: true,
      answers: { 200: SavedDraft },
      problems: ["too-much-waiting", "conflict"],
      async handle({ tenant, permit, params: values, body: { content, note }, header }) {
        const thing = named(tenant, values);
        const drafted = await readDrafted(store, tenant, subject, content);
        const { errors, warnings } = await checkContent(tenant, subject, thing.key, content, drafted);
        const order = { content, note, author: authorOf(permit) };
        const shown = draftAnswer(await store.save(thing, order, guard(header, thing.id)));
        const unknown = subject === "designs" ? [] : await unknownNames(world, tenant, content);
        return taggedAnswer(200, shown, { ...shown, errors, warnings: [...warnings, ...unknown] });
      },
    }),

    tenantRoute({
      method: "DELETE",
      path,
      operationId: `delete${title}Draft`,
      summary: `Discard the draft of a ${noun}`,
      scope: "design:write",
      params,
      isGuarded: true,
      answers: { 204: Nothing },
      problems: ["not-found", "conflict"],
      async handle({ tenant, params: values, header }) {
        const thing = named(tenant, values);
        const draft = await store.one(thing);
        guard(header, thing.id)(draft);
        if (await store.remove(draft)) return { status: 204 };
        throw new ProblemError("conflict", `The draft of the ${noun} "${thing.id}" has just been changed.`);
      },
    }),

    tenantRoute({
      method: "GET",
      path: `${path}/differences`,
      operationId: `compare${title}Draft`,
      summary: `List the differences between a ${noun} and its draft`,
      scope: "design:read",
      params,
      answers: { 200: Differences },
      problems: ["not-found"],
      async handle({ tenant, params: values }) {
        const thing = named(tenant, values);
        const draft = await store.one(thing);
        const record = (await records.read(thing.kind, [thing.key])).get(thing.key);
        const from = (await versions.live(thing, record))?.number ?? 0;
        const before = (record && contentOf(subject, record)) ?? {};
        return { status: 200, body: { from, to: null, ...differencesOf(before, contentOfDraft(draft)) } };
      },
    }),
  ];
}

/** Returns warnings about properties that no item has. The prior price is excluded, since any item may get one. */
async function unknownNames({ readItemProperties }: ItemPropertiesWorld, tenant: string, content: Content) {
  const { properties, sampled } = await readItemProperties(tenant);
  const known = new Set(["priorPrice", ...properties.map(({ name }) => name)]);
  return unknownProperties(content, known, sampled);
}

/** Returns the other drafts that a draft may name, since they can be published together. */
async function readDrafted(store: DraftStore, tenant: string, subject: Subject, content: Content): Promise<Drafted> {
  const none = { designKeys: [], designs: new Map(), canvases: new Map() };
  if (subject === "communication-packs") return { ...none, designKeys: await store.designKeys(tenant) };
  if (subject !== "designs" || formFaults(subject, content).length > 0) return none;
  const { canvasId } = designOf(tenant, content as DesignOrder);
  const draft = await store.read({ key: canvasId });
  const canvas = draft && contentOfDraft(draft);
  if (canvas === undefined || formFaults("canvas-designs", canvas).length > 0) return none;
  return { ...none, canvases: new Map([[canvasId, canvas as CanvasDesign]]) };
}
