import { Type } from "typebox";
import { refusalsOf } from "../../../domain/publishing/refusals.ts";
import { beginPublication } from "../../../queues/publishing/begin-publication.ts";
import { dropContents } from "../../../queues/publishing/drop-contents.ts";
import { withoutDue } from "../../../queues/publishing/publish.ts";
import { publications as kind } from "../../../records/kinds/publishing.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import { pageLimit, Start } from "../../../schemas/paging.ts";
import {
  PublicationAnswer,
  type PublicationCounts,
  PublicationOrder,
  PublicationProgress,
  PublicationTrial,
} from "../../../schemas/publication.ts";
import { DEFAULT_PUBLISH_LIMITS } from "../../../schemas/publish-limits.ts";
import { plainId } from "../../../schemas/text.ts";
import { Note } from "../../../schemas/version.ts";
import { authorOf } from "../../access/actor-of.ts";
import type { Permit } from "../../access/verify-token.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { Nothing, type Route, tenantRoute } from "../../http/route.ts";
import { assertFaultless } from "../find-records.ts";
import { type CountPublicationWorld, createCountPublication } from "./count-publication.ts";
import { createDraftStore, type DraftStoreWorld } from "./draft-store.ts";
import { createEndCanary } from "./end-canary.ts";
import { prepareCanary } from "./prepare-canary.ts";
import { createPrepare, type PrepareWorld } from "./prepare-publication.ts";
import { createPublicationStore, type PublicationStoreWorld, publicationAnswer } from "./publication-store.ts";
import { createPrepareRollBack } from "./roll-back-publication.ts";

export type PublicationsWorld = PublicationStoreWorld & DraftStoreWorld & PrepareWorld & CountPublicationWorld;

const PublicationPath = Type.Object({ publicationId: plainId("Id of the publication") });
const force = Type.Optional(
  Type.Boolean({ description: "true: also undo what somebody changed since the publication" }),
);

/** Operations on publications of drafts (docs/integrators/publishing.md#publications). */
export function publications(world: PublicationsWorld): Route[] {
  const tools = createTools(world);
  return [listPublications, getPublication, publish, continueCanary, rollBack, callOff].map((describe) =>
    describe(tools),
  );
}

type Tools = ReturnType<typeof createTools>;

function createTools(world: PublicationsWorld) {
  const store = createPublicationStore(world);
  return {
    world,
    store,
    prepare: createPrepare(world, createDraftStore(world)),
    prepareRollBack: createPrepareRollBack(world),
    count: createCountPublication(world),
    endCanary: createEndCanary(world, store),
    async limitsOf(tenant: string) {
      const found = (await world.records.read(tenants, [tenant])).get(tenant);
      return found?.publishLimits ?? DEFAULT_PUBLISH_LIMITS;
    },
    /** Stores a publication and, unless it is scheduled, carries it out. */
    async begin(...order: Parameters<typeof beginPublication> extends [unknown, ...infer Others] ? Others : never) {
      return publicationAnswer(await store.publish(await beginPublication(world, ...order)));
    },
  };
}

const listPublications = ({ store }: Tools) =>
  tenantRoute({
    method: "GET",
    path: "/publications",
    operationId: "listPublications",
    summary: "List publications, newest first",
    scope: "design:read",
    query: Type.Object({ start: Type.Optional(Start), limit: Type.Optional(pageLimit()) }),
    answers: { 200: Type.Array(PublicationAnswer) },
    handle: async ({ tenant, query: { start = 0, limit = 100 } }) => ({
      status: 200,
      body: (await store.all(tenant, { start, limit })).map(publicationAnswer),
    }),
  });

const getPublication = ({ store }: Tools) =>
  tenantRoute({
    method: "GET",
    path: "/publications/:publicationId",
    operationId: "getPublication",
    summary: "Get a publication, and the number of its labels with a new picture",
    scope: "design:read",
    params: PublicationPath,
    answers: { 200: PublicationProgress },
    problems: ["not-found"],
    async handle({ tenant, params: { publicationId } }) {
      const found = await store.one(tenant, publicationId);
      return { status: 200, body: { ...publicationAnswer(found), progress: await store.progressOf(found) } };
    },
  });

const publish = (tools: Tools) =>
  tenantRoute({
    method: "POST",
    path: "/publications",
    operationId: "publish",
    summary: "Publish drafts together, or activate a pack: immediately, at a later time, or as a dry run",
    description:
      "The drafts are checked together, and the labels are counted that would change or get worse. Beyond the tenant's limits (`PUT /publish-limits`), or if " +
      "something else went live since a draft was started, the response is 409 unless `force` is true.",
    scope: "design:write",
    body: PublicationOrder,
    answers: { 200: PublicationTrial, 201: PublicationAnswer },
    problems: ["too-much-waiting", "conflict"],
    handle: async ({ tenant, permit, body }) => tryOrPublish(tools, tenant, permit, body),
  });

async function tryOrPublish(
  { world, prepare, count, limitsOf, begin }: Tools,
  tenant: string,
  permit: Permit,
  order: PublicationOrder,
) {
  const at = order.at === undefined ? undefined : new Date(order.at);
  assertSendable(order, at, world.databaseNow());
  const { parts, pack, active, activePack, outdated, proposed } = await prepare(tenant, order);
  const { force = false, dryRun = false } = order;
  const counts = force && !dryRun ? undefined : await count(tenant, proposed);
  const refusals = counts ? [...outdated, ...refusalsOf(counts, await limitsOf(tenant))] : [];
  const canary = await prepareCanary(world, tenant, order, { parts, active, proposed });
  if (dryRun) return { status: 200, body: { counts, refusals } };
  if (counts && refusals.length > 0) throw new ProblemError("conflict", refusalText(refusals, counts));
  const made = {
    author: authorOf(permit),
    ...(order.note !== undefined && { note: order.note }),
    ...(at && { at }),
    ...(counts && { counts }),
    ...(pack !== undefined && { activation: { pack, before: activePack?._id ?? null } }),
    ...(force && { isForced: true as const }),
    ...(canary && { canary: canary.canary }),
  };
  const body = await begin(tenant, parts, made, canary);
  return { status: 201, body };
}

function assertSendable(order: PublicationOrder, at: Date | undefined, now: Date): void {
  const { drafts = [], activate, at: text, stores, share } = order;
  const isEmpty = drafts.length === 0 && activate === undefined;
  const hasCanary = stores !== undefined || share !== undefined;
  assertFaultless([
    ...(isEmpty ? [{ pointer: "", detail: "names neither drafts nor a pack to activate" }] : []),
    ...(stores && share !== undefined ? [{ pointer: "/share", detail: "must be absent if stores are named" }] : []),
    ...(at && hasCanary ? [{ pointer: "/at", detail: "must be absent for a canary, which begins immediately" }] : []),
    ...(at && at <= now ? [{ pointer: "/at", detail: `"${text}" must be in the future` }] : []),
  ]);
}

function refusalText(refusals: readonly string[], { labels, examples: [first] }: PublicationCounts): string {
  const example = first && ` For example ${first.barcode} in store ${first.storeId}: ${first.told.join("; ")}.`;
  return `${refusals.join(" ")}${example ?? ""} ${labels} labels would change in all. Send dryRun=true for the full count, or force=true to publish anyway.`;
}

const continueCanary = ({ store, endCanary }: Tools) =>
  tenantRoute({
    method: "POST",
    path: "/publications/:publicationId/continue",
    operationId: "continuePublication",
    summary: "Publish what a canary shows in all stores",
    scope: "design:write",
    params: PublicationPath,
    query: Type.Object({ force }),
    answers: { 200: PublicationAnswer },
    problems: ["not-found", "conflict"],
    handle: async ({ tenant, params: { publicationId }, query }) => ({
      status: 200,
      body: publicationAnswer(await endCanary.continue(await store.one(tenant, publicationId), query.force ?? false)),
    }),
  });

const rollBack = ({ store, prepareRollBack, endCanary, begin }: Tools) =>
  tenantRoute({
    method: "POST",
    path: "/publications/:publicationId/roll-back",
    operationId: "rollBackPublication",
    summary: "Restore what was live before a publication",
    description:
      "This is a separate publication, which the response describes (201). Anything that did not exist before is deleted. If somebody changed something since, the " +
      "response is 409 unless `force` is true. A canary only ends (200), because nothing went live.",
    scope: "design:write",
    params: PublicationPath,
    query: Type.Object({ force, note: Type.Optional(Note) }),
    answers: { 200: PublicationAnswer, 201: PublicationAnswer },
    problems: ["not-found", "conflict", "too-much-waiting"],
    async handle({ tenant, permit, params: { publicationId }, query }) {
      const found = await store.one(tenant, publicationId);
      if (found.state === "CANARY") return { status: 200, body: publicationAnswer(await endCanary.takeBack(found)) };
      if (found.state !== "DONE")
        throw new ProblemError("conflict", `The publication "${publicationId}" is ${found.state}, not DONE.`);
      const { parts, changed, activation } = await prepareRollBack(found);
      if (changed.length > 0 && query.force !== true)
        throw new ProblemError("conflict", `${changed.join(" ")} Send force=true to restore the earlier state anyway.`);
      const body = await begin(tenant, parts, {
        author: authorOf(permit),
        ...(query.note !== undefined && { note: query.note }),
        ...(activation && { activation }),
        rollsBack: publicationId,
      });
      return { status: 201, body };
    },
  });

const callOff = ({ world, store }: Tools) =>
  tenantRoute({
    method: "DELETE",
    path: "/publications/:publicationId",
    operationId: "callOffPublication",
    summary: "Call off a scheduled publication",
    scope: "design:write",
    params: PublicationPath,
    answers: { 204: Nothing },
    problems: ["not-found", "conflict"],
    async handle({ tenant, params: { publicationId } }) {
      const found = await store.one(tenant, publicationId);
      const endedAt = world.databaseNow();
      await world.commit.change(
        kind,
        [found._id],
        (_, current) =>
          current?.state === "SCHEDULED"
            ? { ...withoutDue(current), state: "CALLED_OFF" as const, endedAt }
            : undefined,
        "interactive",
      );
      const { state } = await store.one(tenant, publicationId);
      if (state !== "CALLED_OFF")
        throw new ProblemError("conflict", `The publication "${publicationId}" is ${state}, not SCHEDULED.`);
      await dropContents(world, found);
      return { status: 204 };
    },
  });
