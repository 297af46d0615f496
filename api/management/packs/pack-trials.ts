import { createHash } from "node:crypto";
import { Type } from "typebox";
import { createComparison, scenarioNames } from "../../../domain/packs/compare-packs.ts";
import { createPackAt, type DatedPack, datedPack } from "../../../domain/packs/pack-at.ts";
import type { Expressions } from "../../../drawing/expressions/expressions.ts";
import type { studioLinkDerivation } from "../../../queues/derivations/studio-link.ts";
import { readZones } from "../../../queues/derivations/zones.ts";
import { communicationPacks, designs } from "../../../records/kinds/designs.ts";
import { links } from "../../../records/kinds/links.ts";
import type { Records } from "../../../records/records.ts";
import type { Design } from "../../../schemas/design.ts";
import { communicationPackKey, designKey, storeKey, tenantIdOf } from "../../../schemas/keys.ts";
import { PackOrder } from "../../../schemas/pack.ts";
import type { Stored } from "../../../schemas/record.ts";
import { PackDifference, PackTrace, PackTrial, UnsavedPackTrial } from "../../../schemas/trial.ts";
import type { Permit } from "../../access/verify-token.ts";
import { tenantRoute } from "../../http/route.ts";
import { createFinder } from "../find-records.ts";
import { readTrialItem } from "../trial-item.ts";
import { readActivePack } from "./active-pack.ts";
import { compareLinks } from "./compare-links.ts";
import { assertSound, PackPath } from "./packs.ts";

export interface PackTrialsWorld {
  records: Records;
  studioLinkRule: ReturnType<typeof studioLinkDerivation>;
  expressions: Expressions;
  clock(): number;
  databaseNow(): Date;
}

/** Time after which a comparison is continued in the next call; well below the timeouts of common gateways. */
const MAX_COMPARISON_MS = 10_000;

type PackAt = ReturnType<typeof createPackAt>;

const After = Type.Object({ after: Type.Optional(Type.String({ description: "The `next` of the previous call" })) });

/** Operations that try a pack, or compare it with the active one; they change nothing (docs/integrators/management.md). */
export const packTrials = (world: PackTrialsWorld) => {
  const { records } = world;
  const packs = createFinder(records, {
    kind: communicationPacks,
    noun: "communication pack",
    keyOf: communicationPackKey,
  });
  const packAt = createPackAt();

  return [
    tenantRoute({
      method: "POST",
      path: "/communication-packs/evaluate",
      operationId: "tryPack",
      changes: "nothing",
      summary: "Try a pack without saving it: which design an item would have on a label, and why",
      description: "An item given by its id also requires the scope `items:read`.",
      scope: "design:read",
      body: UnsavedPackTrial,
      namesUnknownFields: true,
      answers: { 200: PackTrace },
      problems: ["too-much-waiting"],
      handle: async ({ tenant, permit, body }) =>
        trace(world, packAt, { tenant, permit, trial: body, ...(await soundPack(world, tenant, body.pack, "/pack")) }),
    }),

    tenantRoute({
      method: "POST",
      path: "/communication-packs/:packId/evaluate",
      operationId: "trySavedPack",
      changes: "nothing",
      summary: "Try a saved pack: which design an item would have on a label, and why",
      description: "An item given by its id also requires the scope `items:read`.",
      scope: "design:read",
      params: PackPath,
      body: PackTrial,
      answers: { 200: PackTrace },
      problems: ["too-much-waiting", "not-found"],
      handle: async ({ tenant, permit, params, body }) =>
        trace(world, packAt, {
          ...{ tenant, permit, trial: body },
          pack: datedPack(await packs.one(tenant, params.packId)),
          designs: await readDesigns(records, tenant),
        }),
    }),

    tenantRoute({
      method: "POST",
      path: "/communication-packs/diff",
      operationId: "comparePack",
      changes: "nothing",
      summary: "Count the labels whose design would change if a pack were activated",
      description:
        "Evaluates every link whose design is chosen by rules. One call takes at most ten seconds; if links remain, " +
        "the response says where to continue.",
      scope: "design:read",
      query: After,
      body: PackOrder,
      namesUnknownFields: true,
      answers: { 200: PackDifference },
      problems: ["too-much-waiting"],
      handle: async ({ tenant, body, query }) => ({
        status: 200,
        body: await compare(world, packAt, tenant, body, query.after),
      }),
    }),
  ];
};

async function readDesigns(records: Records, tenant: string): Promise<Map<string, Stored<Design>>> {
  const all = await createFinder(records, { kind: designs, noun: "design", keyOf: designKey }).all(tenant);
  return new Map(all.map((design) => [design._id, design]));
}

/** Returns an unsaved pack and the tenant's designs; throws the pack's faults. */
async function soundPack({ records, expressions }: PackTrialsWorld, tenant: string, order: PackOrder, pointer = "") {
  const known = await readDesigns(records, tenant);
  const { pack, ...findings } = await expressions.checkPack(tenant, order, [...known.keys()]);
  assertSound(findings, pointer);
  // The pack's id is a hash of its content, so that the thread keeps it compiled for this trial and others of the same
  // pack.
  const hash = createHash("sha256").update(JSON.stringify(pack)).digest("hex");
  return { pack: { ...pack, id: `${tenant} ${hash}` }, designs: known };
}

interface TracedTrial {
  tenant: string;
  permit: Permit;
  trial: PackTrial;
  pack: DatedPack;
  designs: ReadonlyMap<string, Design>;
}

/** Returns the design that a trial's item would have, and which scenarios were evaluated. */
async function trace(
  { records, expressions, databaseNow }: PackTrialsWorld,
  packAt: PackAt,
  { tenant, permit, trial, pack, designs: known }: TracedTrial,
) {
  const { item, labelType } = await readTrialItem(records, tenant, permit, trial);
  const { location, facings } = trial;
  const link = { ...(location !== undefined && { location }), ...(facings && { facings }) };
  const store = storeKey(tenantIdOf(tenant), trial.storeId ?? "");
  const zoneOf = await readZones(records, pack.periodEnds ? [store] : []);
  const standing = packAt(pack, zoneOf(store), trial.at === undefined ? databaseNow() : new Date(trial.at));
  return {
    status: 200,
    body: await expressions.trace(tenant, standing, { item, link, type: labelType.type }, known),
  };
}

/** Counts the labels whose design would change, starting after the link `after`, for as long as one call may take. */
async function compare(
  world: PackTrialsWorld,
  packAt: PackAt,
  tenant: string,
  order: PackOrder,
  after: string | undefined,
): Promise<PackDifference> {
  const { records, clock } = world;
  const [proposal, active] = await Promise.all([soundPack(world, tenant, order), readActivePack(records, tenant)]);
  const comparison = createComparison(scenarioNames(proposal.pack), scenarioNames(active));
  const began = clock();
  for await (const batch of records.scan(links, `${tenant}/`, after)) {
    const keys = batch.map(({ _id }) => _id);
    for (const change of await compareLinks(world, packAt, proposal, keys)) comparison.add(change);
    if (clock() - began > MAX_COMPARISON_MS) return { ...comparison.result(), next: keys.at(-1) ?? null };
  }
  return { ...comparison.result(), next: null };
}
