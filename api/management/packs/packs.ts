import { Type } from "typebox";
import type { CheckedPack } from "../../../domain/packs/check-pack.ts";
import type { Expressions } from "../../../drawing/expressions/expressions.ts";
import type { Commit } from "../../../queues/changes/commit.ts";
import { activate } from "../../../queues/publishing/activate.ts";
import type { Versions } from "../../../queues/publishing/versions.ts";
import { communicationPacks, designs } from "../../../records/kinds/designs.ts";
import { links } from "../../../records/kinds/links.ts";
import type { Records } from "../../../records/records.ts";
import type { CommunicationPack } from "../../../schemas/design.ts";
import { communicationPackKey, designKey, isCanaryCopy } from "../../../schemas/keys.ts";
import { PackFinding, PackOrder } from "../../../schemas/pack.ts";
import type { Stored } from "../../../schemas/record.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { plainId } from "../../../schemas/text.ts";
import { assertSeen, taggedAnswer } from "../../http/preconditions.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { Nothing, type Route, tenantRoute } from "../../http/route.ts";
import { assertFaultless, createFinder, missing } from "../find-records.ts";
import { madeBy, NoteQuery } from "../publishing/made-by.ts";
import { activePackKey } from "./active-pack.ts";
import { PackAnswer, packAnswer } from "./pack-answer.ts";
import { PackProgress, readPackProgress } from "./pack-progress.ts";

export interface PacksWorld {
  records: Records;
  commit: Commit;
  versions: Versions;
  expressions: Pick<Expressions, "checkPack">;
}

type Pack = Stored<CommunicationPack>;

export const PackPath = Type.Object({
  packId: plainId("Id of the communication pack"),
});

const warnings = Type.Array(PackFinding, { description: "Warnings for the author; the pack is saved despite them" });
const SavedPack = Type.Object(
  {
    ...PackAnswer.properties,
    warnings,
  },
  { title: "SavedPack" },
);
const PackFindings = Type.Object(
  {
    errors: Type.Array(PackFinding, { description: "Faults that prevent the pack from being saved" }),
    warnings,
  },
  { title: "PackFindings" },
);

const noun = "communication pack";
const thingOf = (tenant: string, id: string) => ({
  subject: "communication-packs" as const,
  kind: communicationPacks,
  key: communicationPackKey(tenant, id),
});
const nameOf = (packId: string): string => `The ${noun} "${packId}"`;

type Tools = ReturnType<typeof createTools>;

/**
 * Operations on communication packs: a tenant's rules for choosing designs. One is active, the others are inactive
 * (docs/rules.md).
 */
export function packs(world: PacksWorld): Route[] {
  const tools = createTools(world);
  return [listPacks, getPack, validatePack, putPack, activatePack, getPackProgress, deletePack].map((describe) =>
    describe(tools),
  );
}

function createTools({ records, commit, versions, expressions }: PacksWorld) {
  const allDesigns = createFinder(records, { kind: designs, noun: "design", keyOf: designKey });
  return {
    records,
    commit,
    versions,
    found: createFinder(records, { kind: communicationPacks, noun, keyOf: communicationPackKey }),
    activeOf: (tenant: string) => activePackKey(records, tenant),
    async check(tenant: string, order: PackOrder): Promise<CheckedPack> {
      const known = (await allDesigns.all(tenant)).map(({ _id }) => _id);
      return expressions.checkPack(tenant, order, known);
    },
  };
}

const listPacks = ({ found, activeOf }: Tools) =>
  tenantRoute({
    method: "GET",
    path: "/communication-packs",
    operationId: "listPacks",
    summary: "List the tenant's communication packs",
    scope: "design:read",
    answers: { 200: Type.Array(PackAnswer) },
    handle: async ({ tenant }) => {
      const active = await activeOf(tenant);
      return {
        status: 200,
        body: (await found.all(tenant)).filter(({ _id }) => !isCanaryCopy(_id)).map((pack) => packAnswer(pack, active)),
      };
    },
  });

const getPack = ({ found, activeOf }: Tools) =>
  tenantRoute({
    method: "GET",
    path: "/communication-packs/:packId",
    operationId: "getPack",
    summary: "Get one communication pack",
    scope: "design:read",
    params: PackPath,
    isTagged: true,
    answers: { 200: PackAnswer },
    problems: ["not-found"],
    handle: async ({ tenant, params }) => ({
      status: 200,
      body: packAnswer(await found.one(tenant, params.packId), await activeOf(tenant)),
    }),
  });

const validatePack = ({ check }: Tools) =>
  tenantRoute({
    method: "POST",
    path: "/communication-packs/validate",
    operationId: "validatePack",
    changes: "nothing",
    summary: "Check a pack for faults and warnings; saves nothing",
    scope: "design:read",
    body: PackOrder,
    namesUnknownFields: true,
    answers: { 200: PackFindings },
    problems: ["too-much-waiting"],
    handle: async ({ tenant, body }) => {
      const { errors, warnings } = await check(tenant, body);
      return { status: 200, body: { errors, warnings } };
    },
  });

const putPack = ({ versions, found, activeOf, check }: Tools) =>
  tenantRoute({
    method: "PUT",
    path: "/communication-packs/:packId",
    operationId: "putPack",
    summary: "Save a communication pack",
    description:
      "A new pack is inactive. After a change to the active pack, every link of the tenant is evaluated again; to prepare changes, save a draft. " +
      "A scenario without an id gets one derived from its name.",
    scope: "design:write",
    params: PackPath,
    query: NoteQuery,
    body: PackOrder,
    namesUnknownFields: true,
    isGuarded: true,
    answers: { 200: SavedPack },
    problems: ["too-much-waiting", "conflict"],
    handle: async ({ tenant, permit, params: { packId }, query, body, header }) => {
      const checked = await check(tenant, body);
      assertSound(checked);
      await found.assertRoom(tenant, packId, tenantLimits.communicationPacks);
      const active = await activeOf(tenant);
      const save = (current: Pack | undefined) => {
        assertSeen(header, current && packAnswer(current, active), nameOf(packId));
        const { activations } = current ?? {};
        return { ...checked.pack, ...(activations !== undefined && { activations }) };
      };
      const saved = await versions.save(thingOf(tenant, packId), save, madeBy(permit, query));
      const shown = packAnswer(saved ?? (await found.one(tenant, packId)), active);
      return taggedAnswer(200, shown, { ...shown, warnings: checked.warnings });
    },
  });

const activatePack = ({ commit, found, activeOf }: Tools) =>
  tenantRoute({
    method: "POST",
    path: "/communication-packs/:packId/activate",
    operationId: "activatePack",
    summary: "Activate a communication pack",
    description:
      "Every link of the tenant is evaluated again, even if the pack is already active. The previously active pack " +
      "becomes inactive.",
    scope: "design:write",
    params: PackPath,
    isGuarded: true,
    answers: { 200: PackAnswer },
    problems: ["not-found"],
    handle: async ({ tenant, params: { packId }, header }) => {
      const { _id } = await found.one(tenant, packId);
      const before = await activeOf(tenant);
      const marked = await activate(commit, tenant, _id, (current) => {
        if (current === undefined) throw missing(noun, packId);
        assertSeen(header, packAnswer(current, before), nameOf(packId));
      });
      return taggedAnswer(200, packAnswer(marked ?? (await found.one(tenant, packId)), _id));
    },
  });

const getPackProgress = ({ records, found }: Tools) =>
  tenantRoute({
    method: "GET",
    path: "/communication-packs/:packId/progress",
    operationId: "getPackProgress",
    summary: "Report the progress of the evaluation of the tenant's links after a pack was changed or activated",
    scope: "design:read",
    params: PackPath,
    answers: { 200: PackProgress },
    problems: ["not-found"],
    handle: async ({ tenant, params }) => {
      const { _id } = await found.one(tenant, params.packId);
      const countLinks = () => records.count(links, `${tenant}/`);
      return { status: 200, body: await readPackProgress(records, tenant, _id, countLinks) };
    },
  });

const deletePack = ({ versions, found, activeOf }: Tools) =>
  tenantRoute({
    method: "DELETE",
    path: "/communication-packs/:packId",
    operationId: "deletePack",
    summary: "Delete an inactive communication pack",
    scope: "design:write",
    params: PackPath,
    query: NoteQuery,
    isGuarded: true,
    answers: { 204: Nothing },
    problems: ["not-found", "conflict"],
    handle: async ({ tenant, permit, params: { packId }, query, header }) => {
      const pack = await found.one(tenant, packId);
      const active = await activeOf(tenant);
      if (active === pack._id)
        throw new ProblemError("conflict", `The ${noun} "${packId}" is active. Activate another one first.`);
      assertSeen(header, packAnswer(pack, active), nameOf(packId));
      if (!(await versions.remove(thingOf(tenant, packId), pack, madeBy(permit, query))))
        throw new ProblemError("conflict", `The ${noun} "${packId}" has just been changed or activated.`);
      return { status: 204 };
    },
  });

/** Throws `invalid-request` with every error in a pack, each with its scenario and its place in the expression. */
export function assertSound({ errors }: Pick<CheckedPack, "errors">, at = ""): void {
  const faults = errors.map(({ pointer, scenario, detail, line, column }) => {
    const place = line === undefined ? "" : ` (line ${line}, column ${column})`;
    return { pointer: `${at}${pointer}`, detail: `${scenario ? `scenario "${scenario}": ` : ""}${detail}${place}` };
  });
  assertFaultless(faults, "pack");
}
